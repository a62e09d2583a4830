/** Positions as they are told, the first of them as dust: only trades with real money leave any. */
export const withDust = (answer: string): string =>
  answer.replace(/"amount":[\d.]+,/, '"amount":0.00004,"isDust":true,');
