import { useMutation, useQuery } from '@tanstack/react-query';
import { client, type Inputs, type Outputs, queryClient } from '../../api/trpc.ts';

type Bar = Outputs['console']['candles'][number];
type Subject = Pick<Inputs['console']['candles'], 'symbol' | 'interval'>;
type Bars = { bars: readonly Bar[]; hasOlder: boolean };

const PAGE = 100;
/** As many as one chart draws apart. */
const BARS_MAX = 900;
const REFRESH_MS = 30_000;

const keyOf = ({ symbol, interval }: Subject) => ['bars', symbol, interval];

/** The first bars and those that the later ones do not have, ascending. */
const merged = (earlier: readonly Bar[], later: readonly Bar[]): readonly Bar[] => {
  const [start] = later;
  return start === undefined ? earlier : [...earlier.filter(({ t }) => t < start.t), ...later];
};

/** The newest bars of a coin, read again every half minute. `loadOlder` adds a page of older ones. */
export function useBars(subject: Subject) {
  const query = useQuery({
    queryKey: keyOf(subject),
    queryFn: async (): Promise<Bars> => {
      const { symbol, interval } = subject;
      const answer = await client.marketData.crypto.query({ symbol, type: 'klines', interval, limit: PAGE });
      const before = queryClient.getQueryData<Bars>(keyOf(subject));
      const bars = merged(before?.bars ?? [], answer.kind === 'klines' ? answer.klines : []);
      return { hasOlder: true, ...before, bars: bars.slice(-BARS_MAX) };
    },
    refetchInterval: REFRESH_MS,
  });
  const older = useMutation({
    mutationFn: (page: Inputs['console']['candles']) => client.console.candles.query(page),
    onSuccess: (page, of) =>
      queryClient.setQueryData<Bars>(keyOf(of), (now) => {
        const bars = merged(page, now?.bars ?? []);
        return now && { bars, hasOlder: page.length > 0 && bars.length + PAGE <= BARS_MAX };
      }),
  });
  const first = query.data?.bars[0];
  const loadOlder = () => {
    if (first && !older.isPending) older.mutate({ ...subject, before: first.t });
  };
  return { query, bars: query.data?.bars, loadOlder: query.data?.hasOlder ? loadOlder : null };
}
