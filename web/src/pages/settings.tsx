import { SegmentedControl, Switch, useMantineColorScheme } from '@mantine/core';
import { useId } from 'react';
import { useSettings } from '../settings/store.ts';
import { PageHead, Panel } from '../ui/panel.tsx';
import { Pnl } from '../ui/status.tsx';
import { SettingsNav } from './settings-nav.tsx';

export function SettingsPage() {
  const settings = useSettings();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className="page narrow">
      <PageHead title="Settings">
        <SettingsNav here="display" />
      </PageHead>
      <p className="plain dim">
        Kept in this browser. Confirmations of what moves money cannot be switched off.
      </p>
      <Panel title="Display">
        <div className="stack">
          <Choice
            label="Colours"
            value={colorScheme}
            onChange={setColorScheme}
            options={[
              { value: 'auto', label: 'As the system' },
              { value: 'dark', label: 'Dark' },
              { value: 'light', label: 'Light' },
            ]}
          />
          <Choice
            label="Time zone"
            value={settings.zone}
            onChange={(zone) => settings.set({ zone })}
            options={[
              { value: 'utc', label: 'UTC' },
              { value: 'local', label: 'This browser’s' },
            ]}
          />
          <Choice
            label="Numbers and dates"
            value={settings.formats}
            onChange={(formats) => settings.set({ formats })}
            options={[
              { value: 'system', label: 'As the browser' },
              { value: 'en-US', label: '1,234.56' },
              { value: 'de-DE', label: '1.234,56' },
              { value: 'fr-FR', label: '1 234,56' },
            ]}
          />
          <p className="plain dim">What you type has a point before its decimals, whatever is chosen here.</p>
          <Choice
            label="Profit and loss"
            value={settings.palette}
            onChange={(palette) => settings.set({ palette })}
            options={[
              { value: 'green-up', label: 'Green is up' },
              { value: 'red-up', label: 'Red is up' },
              { value: 'blue-orange', label: 'Blue and orange' },
            ]}
          />
          <div className="row">
            <Pnl value={12.5} /> <Pnl value={-3.2} />
          </div>
          <Choice
            label="Density"
            value={settings.density}
            onChange={(density) => settings.set({ density })}
            options={[
              { value: 'compact', label: 'Compact' },
              { value: 'comfortable', label: 'Comfortable' },
            ]}
          />
          <Choice
            label="Motion"
            value={settings.motion}
            onChange={(motion) => settings.set({ motion })}
            options={[
              { value: 'system', label: 'As the system' },
              { value: 'reduce', label: 'Reduced' },
            ]}
          />
        </div>
      </Panel>
      <Panel title="Keyboard">
        <Switch
          label="Single keys act (g o, j, k, t, ?)"
          description="Switch off if you dictate, or press keys by accident."
          checked={settings.singleKeys}
          onChange={(event) => settings.set({ singleKeys: event.currentTarget.checked })}
        />
      </Panel>
    </div>
  );
}

type ChoiceProps<Value extends string> = {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: { value: Value; label: string }[];
};

function Choice<Value extends string>({ label, value, onChange, options }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <div className="field">
      <span className="label" id={id}>
        {label}
      </span>
      <div>
        <SegmentedControl
          aria-labelledby={id}
          size="xs"
          value={value}
          data={options}
          onChange={(chosen) => {
            const option = options.find((each) => each.value === chosen);
            if (option) onChange(option.value);
          }}
        />
      </div>
    </div>
  );
}
