import type { ReactNode } from 'react';
import type { Outputs } from '../../api/trpc.ts';
import { BriefBacktestWarnings } from '../../backtests/backtest-warnings.tsx';
import { Sparkline } from '../../charts/sparkline.tsx';
import { readGraph } from '../../editor/drawing/json.ts';
import { instrumentsIn, thumbnailOf } from '../../editor/drawing/thumbnail.ts';
import { amount, fineShare, signedUsd, usd, usdWhole } from '../../format/number.ts';
import { marketOf, ordersADay, resultOf } from '../../format/research/template-result.ts';
import { tokenName } from '../../format/token-name.ts';
import { VENUE_NAMES, venuesOfKind } from '../../format/trading/venue.ts';
import { InstrumentName } from '../../instruments/field.tsx';
import { FindButton } from '../../instruments/find-button.tsx';
import { useInstruments } from '../../instruments/use-instruments.ts';
import { t, translateServed } from '../../language/language.ts';
import { Pnl } from '../../ui/status.tsx';

const NOTES = new Set(['note']);
/** The part of an instant that is its day. */
const DAY = 10;

export type Template = Outputs['console']['templates'][number];
type Backtest = NonNullable<Template['backtest']>;

const CURVE = { width: 96, height: 24 };
const LARGE_CURVE = { width: 700, height: 96 };
/** Pixels of a unit of the graph: the names of nodes are read at 12 px. */
const SCALE = 0.48;

/** A template in one look: its graph, its risk, and its backtest with the verdicts on it. */
export function TemplatePreview({ of, children }: { of: Template; children: ReactNode }) {
  const { name, visual, risk, backtest } = of;
  return (
    <section className="template-preview stack" aria-label={translateServed(name)}>
      <TemplateVerdict of={backtest} />
      {/* A process of an earlier version states no risk. */}
      {risk === undefined ? null : (
        <p className="plain">
          <strong>{t('Risk')}:</strong> {translateServed(risk)}
        </p>
      )}
      <GraphPicture visual={visual} />
      {backtest ? (
        <Sparkline values={backtest.equity} {...LARGE_CURVE} label={t('Equity of the backtest')} />
      ) : null}
      {backtest?.verdicts ? <BriefBacktestWarnings verdicts={backtest.verdicts} /> : null}
      {children}
    </section>
  );
}

/** The nodes of a graph with their names, and the wires between them. A large one scrolls. */
function GraphPicture({ visual }: { visual: unknown }) {
  const picture = thumbnailOf(readGraph(visual), NOTES);
  if (!picture) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="graph-picture" aria-label={t('Graph')} tabIndex={0}>
      <svg
        viewBox={picture.viewBox}
        style={{ minWidth: picture.width * SCALE }}
        preserveAspectRatio="xMidYMid meet"
      >
        <title>{t('Graph')}</title>
        {picture.lines.map((path) => (
          <path key={path} d={path} />
        ))}
        {picture.boxes.map(({ id, name, ...box }) => (
          <g key={id}>
            <rect rx={14} {...box} />
            <foreignObject {...box}>
              <span className="graph-picture-name">{name}</span>
            </foreignObject>
          </g>
        ))}
      </svg>
    </section>
  );
}

/** The backtest of a template in small: its curve, and what it made beside holding its coins with the same money. */
export function TemplateCurve({ of }: { of: Backtest | null }) {
  if (!of) return null;
  const { profit, holding } = resultOf(of);
  return (
    <span className="template-curve small figures">
      <Sparkline values={of.equity} {...CURVE} label={t('Equity of the backtest')} />
      <Pnl value={profit} />
      {holding === null ? null : (
        <span className="dim">{t('holding {change}', { change: signedUsd(holding) })}</span>
      )}
      <span className="dim">
        {t('{count} orders/day', { count: amount(Number(ordersADay(of).toPrecision(2))) })}
      </span>
    </span>
  );
}

/** The market behind the results in a list: without it, a loss in a falling month reads as a bad strategy. */
export function TemplateMarket({ of }: { of: readonly Template[] }) {
  const market = marketOf(of.flatMap(({ backtest }) => backtest ?? []));
  if (!market) return null;
  const moved = [...market.moved].map(([coin, change]) =>
    t('{coin} {moved, select, up {rose} other {fell}} {change}', {
      coin,
      moved: change >= 0 ? 'up' : 'down',
      change: fineShare(Math.abs(change)),
    }),
  );
  return (
    <p className="plain dim small">
      {t('Backtests of {from} to {to}, after fees: {moved}. “Holding” is the same money in the coin.', {
        from: market.from.slice(0, DAY),
        to: market.to.slice(0, DAY),
        moved: moved.join(', '),
      })}
    </p>
  );
}

/** The result of a template on recorded prices, beside holding its coins with the same money. Contracts are not compared. */
function TemplateVerdict({ of }: { of: Backtest | null }) {
  if (!of) return <span className="dim small">{t('No backtest over shipped history.')}</span>;
  const { from, to, markets, equity } = of;
  const { most, profit, holding } = resultOf(of);
  const values = {
    own: profit >= 0 ? 'up' : 'down',
    change: usd(Math.abs(profit)),
    most: usdWhole(most),
    markets: markets.join(', '),
  };
  return (
    <div className="stack tight">
      <strong className="template-verdict">
        {holding === null
          ? t(
              '{own, select, up {Gained} other {Lost}} {change}, holding at most {most} of {markets}.',
              values,
            )
          : t(
              '{own, select, up {Gained} other {Lost}} {change}; holding {most} of {markets} {held, select, up {gained} other {lost}} {holding}.',
              {
                ...values,
                held: holding >= 0 ? 'up' : 'down',
                holding: usd(Math.abs(holding)),
              },
            )}
      </strong>
      <span className="dim small">
        {t('Backtest {from} to {to} with {cash}, after fees. No promise.', {
          from: from.slice(0, DAY),
          to: to.slice(0, DAY),
          cash: usdWhole(equity[0]),
        })}
      </span>
    </div>
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
