import type { Template } from './template.ts';

/** Every template with its words, in the order in which the console offers those of a group. */
export const DESCRIPTIONS: readonly Omit<Template, 'visual'>[] = [
  {
    key: 'momentum',
    group: 'trend',
    name: 'Momentum on candles',
    summary:
      'Buys when the fast average of five-minute closes crosses above the slow one, sells on the cross back or a trailing stop.',
    risk: 'Loses in a market without direction: each false cross costs two fees.',
  },
  {
    key: 'bollinger-breakout',
    group: 'trend',
    name: 'Breakout of a Bollinger band',
    summary:
      'Buys when a fifteen-minute close rises above the upper band of twenty candles, and sells when a close falls below the middle band, or 5 % below cost.',
    risk: 'Loses when breakouts fail: it buys at the high of each move that turns at once.',
  },
  {
    key: 'macd',
    group: 'trend',
    name: 'MACD on the hour',
    summary:
      'Buys when the MACD histogram of hourly closes turns positive, sells when it turns negative, or 5 % below cost.',
    risk: 'Loses in a market without direction, and late in a trend: the histogram turns after the price.',
  },
  {
    key: 'mean-reversion',
    group: 'reversion',
    name: 'Mean reversion by RSI',
    summary:
      'Buys when the RSI of closed one-minute candles falls below 30 and sells once it is back above 55; a stop loss and a time limit bound the wait.',
    risk: 'Loses when a fall continues: it buys early in a crash and sells at the stop.',
  },
  {
    key: 'grid',
    group: 'reversion',
    name: 'Grid of three levels',
    summary:
      'Keeps bids for 25 USD half a percent, 1 % and 1.5 % below the average of a day, and sells each half a percent higher.',
    risk: 'Loses in a lasting fall: all three levels are bought, and the stop sells them 10 % below cost.',
  },
  {
    key: 'pair',
    group: 'reversion',
    name: 'Long leg of a pair',
    summary:
      'Buys Ethereum for 40 USD when its price in Bitcoin is two deviations below the average of 48 hours, and sells when it is back at the average.',
    risk: 'Loses when both coins fall, since it has no short leg, and when the ratio has changed for good.',
  },
  {
    key: 'probability-edge',
    group: 'prediction',
    name: 'Probability edge',
    summary:
      'Compares your own probability of an outcome on venue A with its ask, and buys a quarter of the Kelly stake when the edge after fees has been above 3 cents for ten seconds.',
    risk: 'Loses when your probability is wrong: a price far from it often knows more than you do.',
  },
  {
    key: 'probability-range',
    group: 'prediction',
    name: 'Cheap and dear outcome',
    summary:
      'Buys 20 contracts of an outcome on venue A below 40 cents and sells them above 55; it buys again only after the price was above 45.',
    risk: 'Loses when the price falls for a reason: near a settlement a cheap outcome goes to zero.',
  },
  {
    key: 'two-sided-quoting',
    group: 'prediction',
    name: 'Two-sided quoting',
    summary:
      'Bids 2 cents below the middle of an outcome on venue A and offers 2 cents above it what it bought; both follow the price, up to 50 contracts, and leave before the close.',
    risk: 'Loses when the price moves one way: its bids are filled by traders who know more.',
  },
  {
    key: 'arbitrage',
    group: 'prediction',
    name: 'Arbitrage of two venues',
    summary:
      'Buys Yes at one venue and No of the same question at the other when both together cost less than 95 cents; a leg without the other is sold back.',
    risk: 'Loses when one leg fails and the other is sold back, or when the two venues settle the question differently.',
  },
  {
    key: 'news',
    group: 'prediction',
    name: 'Buy on a signal',
    summary:
      'Buys ten contracts of an outcome on venue A when your signal “news” arrives, and leaves at a loss of 20 %, after a day, or an hour before the close.',
    risk: 'Loses when the news is in the price already, or when your signal is wrong.',
  },
  {
    key: 'dip-buyer',
    group: 'prediction',
    name: 'Dip buyer',
    summary:
      'Samples a token of venue B every 20 seconds and buys for 20 USD when it is 8 % below its highest of the last ten minutes; takes 10 % of profit or 15 % of loss.',
    risk: 'Loses when the dip has a reason: a price that falls on news does not come back.',
  },
  {
    key: 'hedged-contract',
    group: 'prediction',
    name: 'Contract hedged with a coin',
    summary:
      'Buys a contract that pays when Bitcoin falls, if it is cheap by your own probability, and holds 0.00002 BTC for each contract against it.',
    risk: 'Loses on both legs when the coin falls and the contract still settles at zero.',
  },
  {
    key: 'bracket',
    group: 'orders',
    name: 'Bracket with a trailing stop',
    summary:
      'Buys for 40 USD at the ask when it is half a percent below its highest of ten minutes, sells half at 1 % and half at 3 % of profit, or all of it 2 % below cost or peak.',
    risk: 'Loses when the price jumps past the stop, and in small steps when it is stopped before each recovery.',
  },
  {
    key: 'ladder',
    group: 'orders',
    name: 'Ladder of bids',
    summary:
      'Keeps bids for 25 USD 1, 2 and 3 % below the last hourly close from 08:00 to 20:00 UTC, and sells what they bought at a profit of 1 %.',
    risk: 'Loses in a crash: all bids fill on the way down, and the stop sells them 10 % below cost.',
  },
  {
    key: 'twap',
    group: 'orders',
    name: 'Buy in slices (TWAP)',
    summary:
      'Buys Ethereum for 20 USD every five minutes, twelve times a day and up to 0.15 in all, each at the ask or not at all; a wide stop loss is the emergency brake.',
    risk: 'Loses what the price falls: slices lower the cost of trading, not the risk of the position.',
  },
  {
    key: 'position-guard',
    group: 'portfolio',
    name: 'Take profit and stop loss',
    summary:
      'Buys nothing: guards what this strategy already holds with a profit target, a stop loss and a trailing stop, and warns before the stop is reached.',
    risk: 'Loses more than the stop when the price jumps past it, or when no bid is there to sell to.',
  },
  {
    key: 'accumulation',
    group: 'portfolio',
    name: 'Scheduled accumulation',
    summary:
      'Buys for 25 USD every hour during the European and American day, at a quiet market and up to a limit; a wide stop loss is the emergency brake.',
    risk: 'Loses what the coin falls: it buys at every price, and a stop at 30 % is far away.',
  },
  {
    key: 'rotation',
    group: 'portfolio',
    name: 'Rotation of coins',
    summary:
      'Holds the one of four coins that has gained most in 24 hours: buys for 25 USD when a coin takes the lead, sells it when another one does, or 8 % below its peak.',
    risk: 'Loses when coins fall together, and two fees at every change of the lead.',
  },
  {
    key: 'rebalancing',
    group: 'portfolio',
    name: 'Rebalancing to a share',
    summary:
      'Holds 2 % of the equity in Bitcoin: every hour it buys what is missing or sells what is too much, in steps of 10 to 40 USD.',
    risk: 'Loses in a lasting fall: it buys more of the coin the more it falls.',
  },
  {
    key: 'first-of-month',
    group: 'portfolio',
    name: 'First hour of a month',
    summary:
      'Bids for 40 USD of Bitcoin in the first hour of the first weekday of each month, good for that day, and sells a week later.',
    risk: 'Loses when the effect of the calendar is chance: a year has twelve trades, which prove nothing.',
  },
  {
    key: 'basis',
    group: 'portfolio',
    name: 'Spot leg of a basis',
    summary:
      'Buys Bitcoin for 40 USD when your signal “funding” is above 0.03 %, and sells when it turns negative; the perpetual is sold elsewhere.',
    risk: 'Loses what the coin falls, unless you hold the short perpetual elsewhere.',
  },
];
