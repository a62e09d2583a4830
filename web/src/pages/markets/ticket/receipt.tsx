import { Link } from '@tanstack/react-router';
import { pageMode } from '../../../api/page-mode.ts';
import type { Inputs, Outputs } from '../../../api/trpc.ts';
import { modeWords } from '../../../format/mode.ts';
import { amount as amountWords, usd } from '../../../format/number.ts';
import { boundOf } from '../../../format/trading/ticket.ts';
import { t } from '../../../language/language.ts';
import { RuleResults } from '../../../ui/rule-results.tsx';
import { orderStatusWords } from '../../../ui/status.tsx';
import { useRuleCatalogue } from '../../../ui/use-rule-catalogue.ts';

export type Terms = Inputs['riskRules']['preview'];
export type Preview = Outputs['riskRules']['preview'];
export type Placed = Outputs['orders']['place'];

type ReceiptProps = {
  of: Preview;
  side: Terms['side'];
  hasLimit: boolean;
  write: (price: number) => string;
};

/** The results of the rules for the order, and its maximum cost. */
export function Receipt({ of, side, hasLimit, write }: ReceiptProps) {
  const { verdict, amount, limitPrice, warning, receipt } = of;
  const { reason } = useRuleCatalogue();
  const values = { amount: amountWords(amount), price: write(limitPrice) };
  return (
    <section aria-label={t('Receipt')} aria-live="polite" className="stack tight">
      <dl className="facts">
        {pageMode === 'live' ? (
          <>
            <dt>{t('Mode')}</dt>
            <dd>
              <span className="chip live">{modeWords(pageMode).title}</span>
            </dd>
          </>
        ) : null}
        <dt>{t('Order')}</dt>
        <dd>
          {side === 'buy'
            ? t('Buy {amount} at up to {price}', values)
            : t('Sell {amount} at no less than {price}', values)}
        </dd>
        <dt>{boundTitle(side, hasLimit)}</dt>
        <dd>
          <strong>{usd(boundOf(side, of, of.worstFee))}</strong>{' '}
          <span className="dim">{t('with the fee')}</span>
        </dd>
        <dt>{t('Verdict')}</dt>
        <dd>{verdict === 'queued' ? t('Would be sent at once') : orderStatusWords(verdict)}</dd>
      </dl>
      <RuleResults lines={receipt.lines} />
      {warning ? <div className="notice warn">{reason(warning)}</div> : null}
    </section>
  );
}

function boundTitle(side: Terms['side'], hasLimit: boolean): string {
  if (!hasLimit) return side === 'buy' ? t('Cost, about') : t('Proceeds, about');
  return side === 'buy' ? t('Max. cost') : t('Min. proceeds');
}

/** The fate of the order, with a link to it. */
export const Outcome = ({ placed, name }: { placed: Placed; name: string }) => (
  <div className="notice" role="status">
    {placed.status === 'pending'
      ? t('The order for {amount} of {name} awaits your approval.', {
          amount: amountWords(placed.amount),
          name,
        })
      : t('The order for {amount} of {name} is on its way.', { amount: amountWords(placed.amount), name })}
    <Link to="/orders" search={{ order: placed.intentId }}>
      {t('Open the order')}
    </Link>
  </div>
);
