import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Outputs, trpc } from '../../api/trpc.ts';
import { exposureWords, marketValueOf } from '../../format/trading/exposure.ts';
import { VENUE_NAMES, type VenueName, venueTitle } from '../../format/trading/venue.ts';
import { t } from '../../language/language.ts';
import { Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Meter } from '../../ui/status.tsx';
import { useRuleCatalogue } from '../../ui/use-rule-catalogue.ts';

/** The exposure at each venue against the equity, and the used part of each limit in use. */
export function Exposure() {
  const words = useRuleCatalogue();
  const { data, error } = useQuery(trpc.console.account.queryOptions({}));
  return (
    <Panel title={t('Exposure and limits')} actions={<Link to="/risk">{t('Risk rules')}</Link>}>
      {error && !data ? (
        <ProblemNotice error={error} />
      ) : data ? (
        <div className="stack tight">
          {VENUE_NAMES.map((venue) => ({ venue, worth: worthAt(venue, data.positions) }))
            .filter(({ worth }) => worth > 0)
            .map(({ venue, worth }) => (
              <Bar
                key={venue}
                isShare
                label={venueTitle(venue)}
                used={worth}
                limit={data.equity}
                note={exposureWords(worth, data.equity)}
              />
            ))}
          {data.limits.filter(isUsed).map(({ rule, used, limit }) => (
            <Bar
              key={rule}
              label={words.usageTitle(rule)}
              used={used}
              limit={limit}
              note={t('{rule} of {rule2}', {
                rule: words.value(rule, used),
                rule2: words.value(rule, limit),
              })}
            />
          ))}
          <span className="dim small">
            {t('Not used now: {rules}.', {
              rules: data.limits
                .filter(({ used }) => used === 0)
                .map(({ rule }) => words.usageTitle(rule))
                .join(', '),
            })}
          </span>
        </div>
      ) : (
        <RowSkeleton rows={6} height={16} />
      )}
    </Panel>
  );
}

type Account = Outputs['console']['account'];

const worthAt = (venue: VenueName, positions: Account['positions']): number =>
  positions
    .filter((position) => position.venue === venue)
    .reduce((sum, position) => sum + (marketValueOf(position) ?? 0), 0);

const isUsed = ({ used }: Account['limits'][number]): boolean => used !== null && used > 0;

type BarProps = { label: string; used: number | null; limit: number; note: string; isShare?: boolean };

const Bar = ({ label, used, limit, note, isShare = false }: BarProps) => (
  <div className="usage-bar">
    <span>{label}</span>
    <Meter used={used} limit={limit} label={`${label}: ${note}`} isLimit={!isShare} />
    <span className="num small">{note}</span>
  </div>
);
