import { createHash } from 'node:crypto';

/** All pairs of colors have a contrast of at least 4.5; a test computes it. */
export const STYLE = `:root{color-scheme:light}
*{box-sizing:border-box}
body{margin:0 auto;padding:24px;max-width:1000px;background:#ffffff;color:#1a1f29;font:15px/1.5 system-ui,sans-serif}
h1{font-size:24px;margin:0 0 4px}h2{font-size:18px;margin:32px 0 8px}
p{margin:4px 0}.muted{color:#4b5563}
ul.verdicts{list-style:none;margin:16px 0;padding:0}
ul.verdicts li{padding:8px 12px;margin:4px 0;border-left:4px solid #4b5563;background:#f3f4f6;color:#1a1f29}
ul.verdicts li.danger{border-color:#991b1b;background:#fef2f2;color:#991b1b}
ul.verdicts li.warning{border-color:#92400e;background:#fffbeb;color:#7c4a03}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(200px,1fr));gap:12px;margin:8px 0}
dl div{padding:8px 12px;background:#f3f4f6}dt{color:#4b5563;font-size:13px}dd{margin:0;font-size:17px;font-variant-numeric:tabular-nums}
figure{margin:16px 0}figcaption{font-weight:600}.key{font-weight:400;margin-left:12px}
svg text{font:11px system-ui,sans-serif;fill:#4b5563}
figure svg{width:100%;height:auto}.key svg{width:14px}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:13px;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:4px 0}
th,td{padding:4px 8px;text-align:right;border-bottom:1px solid #d1d5db;white-space:nowrap}
th.text,td.text{text-align:left;white-space:normal}
pre{padding:12px;background:#f3f4f6;color:#1a1f29;overflow-x:auto;font-size:12px}`;

const HASH = createHash('sha256').update(STYLE).digest('base64');

/** The page runs nothing and loads nothing: the policy allows its one style by hash. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${HASH}'; base-uri 'none'; form-action 'none'`;
/** The same policy as a header, which can forbid frames too. */
export const REPORT_POLICY = `${PAGE_POLICY}; frame-ancestors 'none'`;
