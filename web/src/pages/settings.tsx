import { SegmentedControl, Switch, useMantineColorScheme } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { LANGUAGES, t } from '../language/language.ts';
import { useSettings } from '../settings/store.ts';
import { PageHead, Panel } from '../ui/panel.tsx';
import { Pnl } from '../ui/status.tsx';
import { SettingsNav } from './settings-nav.tsx';

export function SettingsPage() {
  const settings = useSettings();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className="page">
      <PageHead title={t('Settings')}>
        <SettingsNav />
      </PageHead>
      <p className="plain dim">
        {t('Kept in this browser. Confirmations of what moves money cannot be switched off.')}
      </p>
      <Panel title={t('Display')}>
        <div className="settings-fields">
          <Choice
            label={t('Colours')}
            value={colorScheme}
            onChange={setColorScheme}
            options={[
              { value: 'auto', label: t('As the system') },
              { value: 'dark', label: t('Dark') },
              { value: 'light', label: t('Light') },
            ]}
          />
          <Choice
            label={t('Language')}
            value={settings.language}
            onChange={(language) => settings.set({ language })}
            options={[
              { value: 'system', label: t('As the browser') },
              { value: 'en', label: LANGUAGES.en },
              { value: 'de', label: LANGUAGES.de },
            ]}
          />
          <Choice
            label={t('Time zone')}
            value={settings.zone}
            onChange={(zone) => settings.set({ zone })}
            options={[
              { value: 'utc', label: 'UTC' },
              { value: 'local', label: t('This browser’s') },
            ]}
          />
          <Choice
            label={t('Numbers and dates')}
            value={settings.formats}
            onChange={(formats) => settings.set({ formats })}
            options={[
              { value: 'system', label: t('As the browser') },
              { value: 'en-US', label: '1,234.56' },
              { value: 'de-DE', label: '1.234,56' },
              { value: 'fr-FR', label: '1 234,56' },
            ]}
          >
            {t('What you type has a point before its decimals, whatever is chosen here.')}
          </Choice>
          <Choice
            label={t('P&L')}
            value={settings.palette}
            onChange={(palette) => settings.set({ palette })}
            options={[
              { value: 'green-up', label: t('Green is up') },
              { value: 'red-up', label: t('Red is up') },
              { value: 'blue-orange', label: t('Blue and orange') },
            ]}
          >
            <Pnl value={12.5} /> <Pnl value={-3.2} />
          </Choice>
          <Choice
            label={t('Density')}
            value={settings.density}
            onChange={(density) => settings.set({ density })}
            options={[
              { value: 'compact', label: t('Compact') },
              { value: 'comfortable', label: t('Comfortable') },
            ]}
          />
          <Choice
            label={t('Motion')}
            value={settings.motion}
            onChange={(motion) => settings.set({ motion })}
            options={[
              { value: 'system', label: t('As the system') },
              { value: 'reduce', label: t('Reduced') },
            ]}
          />
        </div>
      </Panel>
      <Panel title={t('Keyboard')}>
        <Switch
          label={t('Single keys act (g o, j, k, t, ?)')}
          description={t('Switch off if you dictate, or press keys by accident.')}
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
  children?: ReactNode;
};

function Choice<Value extends string>({ label, value, onChange, options, children }: ChoiceProps<Value>) {
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
      {children ? <span className="hint">{children}</span> : null}
    </div>
  );
}
