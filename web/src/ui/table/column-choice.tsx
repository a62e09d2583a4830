import { Popover } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { type Message, t } from '../../language/language.ts';
import { useHiddenColumns, useTables } from '../../settings/tables.ts';
import { ColumnButton } from './column-button.tsx';
import { columnTitleOf } from './column-title.ts';

export type ColumnChoiceProps = {
  name: string;
  columns: readonly { id: string; title: string | Message; isOwn?: true }[];
};

/** Loads on first use, already open; it replaces the pressed button and takes its focus. */
export function ColumnChoice({ name, columns }: ColumnChoiceProps) {
  const hidden = useHiddenColumns(name);
  const toggle = useTables((tables) => tables.toggle);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  const visible = columns.filter(({ id }) => !hidden.includes(id));
  return (
    <Popover position="bottom-end" withArrow trapFocus defaultOpened>
      <Popover.Target>
        <ColumnButton ref={button} />
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Columns')}>
        <div className="stack tight">
          {columns.map((column) => {
            const { id } = column;
            const isVisible = !hidden.includes(id);
            return (
              <label key={id} className="row choose-column">
                <input
                  type="checkbox"
                  checked={isVisible}
                  disabled={isVisible && visible.length === 1}
                  onChange={() => toggle(name, id)}
                />
                {columnTitleOf(column)}
              </label>
            );
          })}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
