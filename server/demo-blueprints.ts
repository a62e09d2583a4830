import type { NewBlueprint } from '../engine/blueprints/create.ts';

export const demoBlueprints = (): NewBlueprint[] => [];
