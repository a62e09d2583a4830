import { DomainError } from '../../engine/platform/errors.ts';
import { gatherReport } from '../../engine/research/backtests/report/gather.ts';
import { reportPage } from '../../engine/research/backtests/report/page.ts';
import { REPORT_POLICY } from '../../engine/research/backtests/report/style.ts';
import { readBacktest } from '../../engine/research/backtests/row.ts';
import { EXAMPLE } from '../examples.ts';
import { fileRoute } from '../file-route.ts';
import { BacktestId } from './schemas.ts';

export const report = fileRoute({
  path: '/api/backtests/{id}/report.html',
  access: { kind: 'scope', scope: 'blueprints:read', heavy: true },
  tag: 'Backtests',
  summary: 'The report of a backtest',
  description:
    'One static page without scripts or external resources: verdicts first, then figures, charts, trades and assumptions. Refused before there is a result.',
  file: { media: 'text/html', policy: REPORT_POLICY },
  example: { path: { id: EXAMPLE.backtestId }, response: '<!DOCTYPE html>\n<html lang="en">…</html>\n' },
  input: BacktestId,
  chunks: async ({ ctx: { work, historyArchive }, input: { id } }) => {
    const row = await readBacktest(work, id);
    if (row.summary === null) {
      throw new DomainError('invalid_state', `The backtest is ${row.status} and has no result to report.`);
    }
    return only(reportPage(await gatherReport(work, historyArchive, row, row.summary)));
  },
});

async function* only(text: string): AsyncGenerator<string> {
  yield text;
}
