import type { Outputs } from '../../api/trpc.ts';
import { BacktestWarnings } from '../../backtests/backtest-warnings.tsx';
import { Sparkline } from '../../charts/sparkline.tsx';
import { readGraph } from '../../editor/drawing/json.ts';
import { instrumentsIn, thumbnailOf } from '../../editor/drawing/thumbnail.ts';
import { amount, usdWhole } from '../../format/number.ts';
import { tokenName } from '../../format/token-name.ts';
import { VENUE_NAMES, venuesOfKind } from '../../format/trading/venue.ts';
import { InstrumentName } from '../../instruments/field.tsx';
import { FindButton } from '../../instruments/find-button.tsx';
import { useInstruments } from '../../instruments/use-instruments.ts';
import { t, translateServed } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { Pnl } from '../../ui/status.tsx';

const NOTES = new Set(['note']);
/** The part of an instant that is its day. */
const DAY = 10;

export type Template = Outputs['console']['templates'][number];
type Backtest = NonNullable<Template['backtest']>;

type PictureProps = {
  visual: unknown;
  backtest: Backtest | null;
  /** Whether it is as wide as its card. */
  isLarge: boolean;
};
const CURVE = { width: 128, height: 36 };
const LARGE_CURVE = { width: 500, height: 90 };

/** The shape of a template and the curve of its backtest: the text beside them says what it does and made. */
export function TemplatePicture({ visual, backtest, isLarge }: PictureProps) {
  const picture = thumbnailOf(readGraph(visual), NOTES);
  if (!picture) return null;
  return (
    <span className={isLarge ? 'thumbnails large' : 'thumbnails'}>
      <svg className="thumbnail" viewBox={picture.viewBox} aria-hidden preserveAspectRatio="xMidYMid meet">
        {picture.lines.map((path) => (
          <path key={path} d={path} />
        ))}
        {picture.boxes.map(({ id, ...box }) => (
          <rect key={id} rx={14} {...box} />
        ))}
      </svg>
      {backtest ? (
        <Sparkline
          values={backtest.equity}
          {...(isLarge ? LARGE_CURVE : CURVE)}
          label={t('Equity of the backtest')}
        />
      ) : null}
    </span>
  );
}

/** The result of a template on recorded prices. */
export function TemplateResult({ of }: { of: Backtest | null }) {
  if (!of) return <span className="dim small">{t('No backtest over shipped history.')}</span>;
  const { from, to, coins, equity, filled } = of;
  const [cash = 0] = equity;
  return (
    <span className="dim small">
      <Trans
        message="Backtest {from} to {to}, {coins}: {profit} on {cash}, {filled} orders. No promise."
        values={{
          from: from.slice(0, DAY),
          to: to.slice(0, DAY),
          coins: coins.map(tokenName).join(', '),
          profit: (
            <span className="nowrap">
              <Pnl value={(equity.at(-1) ?? cash) - cash} />
            </span>
          ),
          cash: usdWhole(cash),
          filled: amount(filled),
        }}
      />
    </span>
  );
}

/** The risk of the chosen template and the verdicts on its backtest. A process of an earlier version has neither. */
export function TemplateRisk({ risk, backtest }: Pick<Template, 'risk' | 'backtest'>) {
  return (
    <div className="stack tight">
      {risk === undefined ? null : <span>{translateServed(risk)}</span>}
      {backtest?.verdicts ? <TemplateVerdicts verdicts={backtest.verdicts} /> : null}
    </div>
  );
}

/** The verdicts on a backtest, open if one of them may spoil it. */
function TemplateVerdicts({ verdicts }: Pick<Backtest, 'verdicts'>) {
  if (verdicts.length === 0) return null;
  return (
    <details open={verdicts.some(({ severity }) => severity !== 'info')}>
      <summary className="small">
        {t('{count, plural, one {# verdict} other {# verdicts}}', { count: verdicts.length })}
      </summary>
      <BacktestWarnings verdicts={verdicts} />
    </details>
  );
}

type MarketsProps = {
  visual: unknown;
  /** The chosen instrument for each one that the template names. */
  chosen: Readonly<Record<string, string>>;
  onChoose: (of: string, tokenId: string) => void;
};

/** The markets that a template trades, each of which can be replaced by name. */
export function TemplateMarkets({ visual, chosen, onChoose }: MarketsProps) {
  const named = instrumentsIn(readGraph(visual));
  if (named.length === 0) return null;
  return (
    <div className="stack tight">
      <span className="small">{named.length === 1 ? t('Its market') : t('Its markets')}</span>
      {named.map((tokenId) => {
        const chosenId = chosen[tokenId] ?? tokenId;
        return (
          <div key={tokenId} className="row apart">
            <span className="template-market">
              <MarketName tokenId={chosenId} />
            </span>
            <FindButton
              label={t('Choose another…')}
              venues={
                /^[A-Z0-9]+$/.test(tokenId) && !/^\d+$/.test(tokenId) ? venuesOfKind('spot') : VENUE_NAMES
              }
              onPick={(next) => onChoose(tokenId, next)}
            />
          </div>
        );
      })}
    </div>
  );
}

/** A market by its title; by its id until its venue has responded, or where no venue lists it. */
function MarketName({ tokenId }: { tokenId: string }) {
  const { data } = useInstruments([tokenId]);
  const isKnown = data?.instruments.some((each) => each.tokenId === tokenId);
  return (
    <>
      {isKnown ? null : <span title={tokenId}>{tokenName(tokenId)}</span>}{' '}
      <InstrumentName tokenId={tokenId} />
    </>
  );
}
