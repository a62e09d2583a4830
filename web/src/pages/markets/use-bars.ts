import { useMutation, useQuery } from '@tanstack/react-query';
import { client, type Inputs, type Outputs, queryClient } from '../../api/trpc.ts';

type Bar = Outputs['console']['candles'][number];
type Subject = Pick<Inputs['console']['candles'], 'symbol' | 'interval'>;
type Bars = { bars: readonly Bar[]; hasOlder: boolean; asOf: string };

const PAGE = 100;
/** As many as one chart draws apart. */
const BARS_MAX = 900;
const REFRESH_MS = 30_000;

const keyOf = ({ symbol, interval }: Subject) => ['bars', symbol, interval];

/** The first bars and those that the later ones do not have, ascending. Call only with bars without a gap between them. */
const merged = (earlier: readonly Bar[], later: readonly Bar[]): readonly Bar[] => {
  const [start] = later;
  return start === undefined ? earlier : [...earlier.filter(({ t }) => t < start.t), ...later];
};

/** Whether no bar is missing between the two. One is after a tab was hidden for longer than the newest page covers. */
const isJoined = (earlier: readonly Bar[], later: readonly Bar[]): boolean => {
  const end = earlier.at(-1);
  const [start] = later;
  return end === undefined || start === undefined || end.t >= start.t;
};

/** The newest bars of a coin, read again every half minute. `loadOlder` adds a page of older ones. */
export function useBars(subject: Subject) {
  const query = useQuery({
    queryKey: keyOf(subject),
    queryFn: async (): Promise<Bars> => {
      const { symbol, interval } = subject;
      const answer = await client.marketData.crypto.query({ symbol, type: 'klines', interval, limit: PAGE });
      const newest = answer.kind === 'klines' ? answer.klines : [];
      const { asOf } = answer;
      const before = queryClient.getQueryData<Bars>(keyOf(subject));
      if (before === undefined || !isJoined(before.bars, newest))
        return { asOf, hasOlder: true, bars: newest };
      return { ...before, asOf, bars: merged(before.bars, newest).slice(-BARS_MAX) };
    },
    refetchInterval: REFRESH_MS,
  });
  const older = useMutation({
    mutationFn: (page: Inputs['console']['candles']) => client.console.candles.query(page),
    onSuccess: (page, of) =>
      queryClient.setQueryData<Bars>(keyOf(of), (now) => {
        const bars = merged(page, now?.bars ?? []);
        return now && { ...now, bars, hasOlder: page.length > 0 && bars.length + PAGE <= BARS_MAX };
      }),
  });
  const first = query.data?.bars[0];
  const loadOlder = () => {
    const hasJustFailed = older.isError && Date.now() - older.submittedAt < REFRESH_MS;
    if (first && !older.isPending && !hasJustFailed) older.mutate({ ...subject, before: first.t });
  };
  return {
    query,
    asOf: query.data?.asOf,
    bars: query.data?.bars,
    loadOlder: query.data?.hasOlder ? loadOlder : null,
  };
}
