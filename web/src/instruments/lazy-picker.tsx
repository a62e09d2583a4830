import { onDemand } from '../ui/help/on-demand.tsx';
import type { PickerProps } from './picker.tsx';

/** The picker; its code loads when the user is about to choose. */
export const LazyPicker = onDemand<PickerProps>(async () => (await import('./picker.tsx')).Picker);
