import { Button, Popover } from '@mantine/core';
import { Columns3 } from 'lucide-react';
import { type Message, t } from '../../language/language.ts';
import { useHidden, useTables } from '../../settings/tables.ts';

type ColumnMenuProps = { name: string; columns: readonly { id: string; title: string | Message }[] };

/** Which columns of a table are shown, kept in this browser. The last one stays. */
export function ColumnMenu({ name, columns }: ColumnMenuProps) {
  const hidden = useHidden(name);
  const toggle = useTables((tables) => tables.toggle);
  const shown = columns.filter(({ id }) => !hidden.includes(id));
  return (
    <Popover position="bottom-end" withArrow trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<Columns3 size={14} aria-hidden />}>
          {t('Columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Columns')}>
        <div className="stack tight">
          {columns.map(({ id, title }) => {
            const isShown = !hidden.includes(id);
            return (
              <label key={id} className="row choose-column">
                <input
                  type="checkbox"
                  checked={isShown}
                  disabled={isShown && shown.length === 1}
                  onChange={() => toggle(name, id)}
                />
                {t(title)}
              </label>
            );
          })}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
