import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { t } from '../../language/language.ts';

/** Leads to the form of a backtest: the tab of this blueprint, or of the one that is chosen. */
export function NewBacktestButton({ blueprintId }: { blueprintId: string | undefined }) {
  const navigate = useNavigate();
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const go = (id: string) =>
    void navigate({ to: '/blueprints/$id', params: { id }, search: { tab: 'backtest', part: 'new' } });
  if (blueprintId !== undefined) return <Button onClick={() => go(blueprintId)}>{t('New backtest')}</Button>;
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button disabled={!blueprints.data?.length}>{t('New backtest…')}</Button>
      </Menu.Target>
      <Menu.Dropdown className="tall-menu">
        <Menu.Label>{t('Strategy')}</Menu.Label>
        {blueprints.data?.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => go(id)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
