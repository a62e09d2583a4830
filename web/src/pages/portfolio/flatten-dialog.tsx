import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client, invalidate, type Outputs, trpc } from '../../api/trpc.ts';
import { amount, usd } from '../../format/number.ts';
import { outcomeOf } from '../../format/trading/order.ts';
import { venueTitle } from '../../format/trading/venue.ts';
import { t } from '../../language/language.ts';
import { useMoneyBlockReason } from '../../live/store.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';

type Holding = Outputs['console']['toFlatten'][number];
type Result = Outputs['console']['flatten'][number];

/** Sells every position at once, after a preview. A refusal of one does not stop the others. */
export function FlattenDialog({ onClose }: { onClose: () => void }) {
  const holdings = useQuery({ ...trpc.console.toFlatten.queryOptions({}), staleTime: 0 });
  const moneyBlock = useMoneyBlockReason();
  const flatten = useFlatten();
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const running = blueprints.data?.filter(({ status }) => status === 'running' || status === 'error') ?? [];
  const [isStopping, setStopping] = useState(true);
  const stops = isStopping && running.length > 0;
  const sellable = holdings.data?.filter(({ free, stuck }) => free > 0 && stuck === null) ?? [];
  const results = new Map(flatten.data?.map((result) => [result.tokenId, result]));
  const isDone = flatten.data !== undefined;
  const count = sellable.length;
  return (
    <ConfirmDialog
      title={
        isDone
          ? t('What became of each position')
          : t('Close {count, plural, one {# position} other {# positions}}?', { count })
      }
      action={
        isDone
          ? t('Done')
          : stops
            ? t(
                'Stop {running} and sell {count, plural, one {# position} other {# positions}} at the market',
                {
                  running: running.length,
                  count,
                },
              )
            : t('Sell {count, plural, one {# position} other {# positions}} at the market', { count })
      }
      danger={!isDone}
      blocked={moneyBlock ?? (sellable.length === 0 && !isDone ? t('Nothing can be sold.') : null)}
      pending={flatten.isPending}
      error={flatten.error ?? holdings.error}
      onConfirm={() =>
        isDone
          ? onClose()
          : flatten.mutate({
              stops,
              positions: sellable.map(({ tokenId, free }) => ({ tokenId, amount: free })),
            })
      }
      onClose={onClose}
    >
      <table className="rows">
        <thead>
          <tr>
            <th>{t('Instrument')}</th>
            <th className="num">{t('Sold')}</th>
            <th className="num">{t('Market value')}</th>
            <th>{isDone ? t('Result') : t('Note')}</th>
          </tr>
        </thead>
        <tbody>
          {holdings.data?.map((holding) => (
            <tr key={holding.tokenId}>
              <td>
                {`${outcomeOf(holding.tokenId)} ${holding.title}`.trim()}{' '}
                <span className="dim">· {venueTitle(holding.venue)}</span>
              </td>
              <td className="num">{amount(holding.free)}</td>
              <td className="num">{usd(holding.worth)}</td>
              <td>{noteOf(holding, results.get(holding.tokenId))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="plain dim">
        {t(
          'Each is sold separately, immediate or cancel, within the price band. An unfilled amount stays held. Orders placed by hand stay open: cancel them under Orders first.',
        )}
        {stops || running.length === 0 ? '' : t(' Strategies that run may buy again.')}
      </p>
      {isDone || running.length === 0 ? null : (
        <label className="row tight">
          <input
            type="checkbox"
            checked={isStopping}
            onChange={(event) => setStopping(event.currentTarget.checked)}
          />
          {t(
            'Stop {running, plural, one {# running strategy} other {# running strategies}} first: {running2}',
            { running: running.length, running2: running.map(({ name }) => name).join(', ') },
          )}
        </label>
      )}
    </ConfirmDialog>
  );
}

type Flatten = { stops: boolean; positions: { tokenId: string; amount: number }[] };

/** Stops running strategies first, if that is chosen: nothing is sold while a strategy may buy it again. */
const useFlatten = () =>
  useMutation({
    mutationFn: async ({ stops, positions }: Flatten) => {
      if (stops) await client.blueprints.stopAll.mutate({});
      return client.console.flatten.mutate({ positions });
    },
    onSettled: () => invalidate(),
  });

function noteOf({ amount: held, free, stuck }: Holding, result: Result | undefined): string {
  if (result !== undefined)
    return result.refusal?.message ?? t('Sell order {status}.', { status: result.status ?? '' });
  if (stuck !== null) return t('Stays: {stuck}', { stuck });
  return free < held ? t('{held} is in open sell orders.', { held: amount(held - free) }) : '';
}
