import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Decimal } from 'decimal.js';
import { useState } from 'react';
import type { Position } from '../../api/row-types.ts';
import { client, invalidate, trpc } from '../../api/trpc.ts';
import { amount, signedUsd, usd } from '../../format/number.ts';
import { estimateFill } from '../../format/trading/estimate-fill.ts';
import { outcomeOf, quantityOf } from '../../format/trading/order.ts';
import { priceAt } from '../../format/trading/venue.ts';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { useMoneyBlockReason } from '../../live/store.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { Age } from '../../ui/time.tsx';
import { useMarketNow } from '../../ui/use-market-now.ts';
import { useRuleCatalogue } from '../../ui/use-rule-catalogue.ts';
import { WriteOffDialog, type WriteOffTerms } from './write-off-dialog.tsx';

const PARTS = [25, 50, 75, 100] as const;
const DECIMAL = /^\d+(\.\d+)?$/;

/** How often the dialog checks whether the position can be sold at all. */
const UNSELLABLE_RECHECK_MS = 5_000;

type Props = { position: Position; onClose: () => void };

/** Closes a position: by a sale or, if it is unsellable, by a write-off. */
export function CloseDialog({ position, onClose }: Props) {
  const { tokenId, blueprintId } = position;
  const terms = useQuery({
    ...trpc.console.writeOff.queryOptions({ tokenId, blueprintId }),
    staleTime: 0,
    refetchInterval: UNSELLABLE_RECHECK_MS,
  });
  const unsellable = terms.data ?? null;
  const [writingOff, setWritingOff] = useState<WriteOffTerms | null>(null);
  return writingOff ? (
    <WriteOffDialog position={position} terms={unsellable ?? writingOff} onClose={onClose} />
  ) : (
    <SaleDialog position={position} unsellable={unsellable} onWriteOff={setWritingOff} onClose={onClose} />
  );
}

type SaleProps = Props & { unsellable: WriteOffTerms | null; onWriteOff: (terms: WriteOffTerms) => void };

/** Sells a part of a position: the amount, the estimated proceeds of the current book, and the result. */
function SaleDialog({ position, unsellable, onWriteOff, onClose }: SaleProps) {
  const { market, blocked } = useMarketNow(position.tokenId);
  const moneyBlock = useMoneyBlockReason();
  const { reason } = useRuleCatalogue();
  const free = new Decimal(position.amount).minus(position.amountClosing);
  const [typed, setTyped] = useState(() => free.toFixed());
  const close = useMutation({
    mutationFn: (idempotencyKey: string) =>
      client.portfolio.close.mutate(
        { tokenId: position.tokenId, amount: Number(typed), blueprintId: position.blueprintId },
        { context: { idempotencyKey } },
      ),
    onSettled: () => invalidate(),
    onSuccess: ({ intentId, status }) => {
      const fate = status === 'pending' ? t('awaits your approval, under Orders') : t('is on its way');
      notifications.show({
        message: t('Sell order {intentId}…{value} {fate}.', {
          intentId: intentId.slice(0, 8),
          value: intentId.slice(-4),
          fate,
        }),
      });
      onClose();
    },
  });
  const fault = faultOf(typed, free, position, market?.stepSize ?? null);
  const wanted = fault ? 0 : Number(typed);
  const warning = useWarning(position, wanted);
  const estimate = market && !fault ? estimateFill(market.bids, wanted, null) : null;
  const price = (value: number | null) => priceAt(position.venue, value, market?.tickSize ?? null);
  const what = `${outcomeOf(position.tokenId)} ${position.title}`.trim();
  return (
    <ConfirmDialog
      title={
        fault
          ? t('Close a part of {amount} {what}?', { amount: amount(position.amount), what })
          : t('Close {wanted} of {amount} {what}?', {
              wanted: amount(wanted),
              amount: amount(position.amount),
              what,
            })
      }
      action={
        fault
          ? t('Sell')
          : estimate?.averagePrice
            ? t('Sell {wanted} for about {filled}', {
                wanted: quantityOf(wanted, position),
                filled: usd(estimate.filled * estimate.averagePrice),
              })
            : t('Sell {wanted}', { wanted: quantityOf(wanted, position) })
      }
      danger
      blocked={moneyBlock ?? (unsellable ? reason(unsellable.reason) : (fault ?? blocked))}
      pending={close.isPending}
      error={close.error}
      onConfirm={(key) => close.mutate(key)}
      onClose={onClose}
    >
      <div className="field">
        <label htmlFor="close-amount">{t('Amount')}</label>
        <div className="row">
          <input
            id="close-amount"
            className="text-input amount-input"
            inputMode="decimal"
            autoComplete="off"
            value={typed}
            aria-invalid={fault ? true : undefined}
            onChange={(event) => setTyped(event.currentTarget.value.trim())}
          />
          {PARTS.map((part) => (
            <button
              key={part}
              type="button"
              className="chip"
              disabled={!market}
              onClick={() => market && setTyped(partOf(free, part, market.stepSize))}
            >
              {part} %
            </button>
          ))}
        </div>
        <span className="hint">
          {t('{free} free of {amount} held', {
            free: amount(free.toNumber()),
            amount: amount(position.amount),
          })}
          {market ? t(', in steps of {stepSize}', { stepSize: amount(market.stepSize) }) : ''}
        </span>
      </div>
      <dl className="facts">
        <dt>{t('Book now')}</dt>
        <dd>
          {market ? (
            <Trans
              message="bid {price} · ask {price2} · read {age}"
              values={{
                price: price(market.bids[0]?.price ?? null),
                price2: price(market.asks[0]?.price ?? null),
                age: <Age at={market.readAt} />,
              }}
            />
          ) : (
            '—'
          )}
        </dd>
        <dt>{t('Would fill')}</dt>
        <dd className={estimate && estimate.filled < wanted ? 'warn' : undefined}>
          {estimate?.averagePrice
            ? t('{filled} at {averagePrice} on average, {filled2} before fees', {
                filled: amount(estimate.filled),
                averagePrice: price(estimate.averagePrice),
                filled2: usd(estimate.filled * estimate.averagePrice),
              })
            : estimate
              ? t('nothing: there are no bids now')
              : '—'}
        </dd>
        <dt>{t('Against cost')}</dt>
        <dd>
          {estimate?.averagePrice
            ? signedUsd(estimate.filled * (estimate.averagePrice - position.averageCost))
            : '—'}
        </dd>
        <dt>{t('How')}</dt>
        <dd>{t('Immediate or cancel, within the price band. What does not fill stays held.')}</dd>
      </dl>
      {warning && !unsellable ? (
        <div className="notice warn" role="note">
          {reason(warning)}
        </div>
      ) : null}
      {unsellable ? (
        <div className="row apart">
          {t('This cannot be sold. It can leave the books at a value you state.')}
          <Button variant="default" onClick={() => onWriteOff(unsellable)}>
            {t('Write off…')}
          </Button>
        </div>
      ) : null}
    </ConfirmDialog>
  );
}

/** The service's warning about a sale of this amount, or null. */
function useWarning({ tokenId, blueprintId }: Position, wanted: number): string | null {
  const sale = { tokenId, blueprintId, side: 'sell', type: 'market', amount: wanted } as const;
  const preview = useQuery({
    queryKey: ['sale', sale],
    queryFn: () => client.riskRules.preview.mutate(sale),
    enabled: wanted > 0,
  });
  return wanted > 0 ? (preview.data?.warning ?? null) : null;
}

/** The reason why the service would refuse the amount, or null. Only the whole position may be between two steps. */
function faultOf(typed: string, free: Decimal, held: Position, stepSize: number | null): string | null {
  if (!DECIMAL.test(typed)) return t('Type an amount such as 0.5.');
  const wanted = new Decimal(typed);
  if (wanted.lte(0)) return t('The amount must be above 0.');
  if (wanted.gt(free))
    return t('{typed} is more than the {free} that are free.', { typed, free: free.toFixed() });
  if (stepSize === null || wanted.mod(stepSize).isZero() || wanted.eq(held.amount)) return null;
  return t('It is sold in steps of {stepSize}, and {typed} is not a multiple of that.', {
    stepSize: amount(stepSize),
    typed,
  });
}

/** A part of the free amount, rounded down to the venue's step; the whole stays whole. */
function partOf(free: Decimal, part: number, stepSize: number): string {
  if (part === 100) return free.toFixed();
  return free.times(part).div(100).div(stepSize).floor().times(stepSize).toFixed();
}
