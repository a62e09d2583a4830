import * as account from './account.ts';
import { ApiKey } from './api-key.ts';
import { Backtest, BacktestPart } from './backtest.ts';
import * as blueprint from './blueprint.ts';
import { CareersApplication } from './careers.ts';
import { VenueAccountClaim, VenueConnection, VenueCredential } from './connection.ts';
import { OrderDispatch, VenueEvent } from './dispatch.ts';
import { HistoryChunk, HistoryImport, HistorySeries } from './history.ts';
import { ArchivedPart, LedgerHead, LedgerLink } from './ledger-chain.ts';
import { Instrument, InstrumentFact, PricePeriod, Quote, QuoteChunk, SeriesCoverage } from './market.ts';
import * as notification from './notification.ts';
import { OauthClient, OauthGrant } from './oauth.ts';
import {
  ArrivingPart,
  Cell,
  MovedAccount,
  MovedEmail,
  MovedKey,
  OperationRun,
  Operator,
  Process,
} from './operation.ts';
import * as order from './order.ts';
import { PaperFill, PaperLevel, PaperOrder } from './paper.ts';
import { VenueCash, VenueCursor, VenueDifference } from './reconciliation.ts';
import { ShareLink } from './share-link.ts';
import { Signal, SignalValue } from './signal.ts';
import { Sweep, SweepTrial } from './sweep.ts';

/**
 * Every table of ours, listed by hand: no globbing, and the only list of the schema. Tables and columns have the names of
 * entities and properties in snake case, unless stated.
 */
export const entities = [
  account.Account,
  account.Membership,
  account.TradingAccount,
  account.CashEntry,
  account.AccountDay,
  account.DrawdownWatch,
  account.LedgerCheck,
  ArchivedPart,
  LedgerHead,
  LedgerLink,
  account.EquityPoint,
  account.BlueprintEquity,
  account.RiskRules,
  account.AuditEvent,
  account.AccountEvent,
  account.IdempotencyKey,
  ApiKey,
  blueprint.Blueprint,
  blueprint.ReleaseBody,
  blueprint.Release,
  blueprint.Deployment,
  blueprint.DeploymentState,
  blueprint.DeploymentNodes,
  blueprint.Shard,
  blueprint.IntentRequest,
  ShareLink,
  Instrument,
  Quote,
  PricePeriod,
  QuoteChunk,
  InstrumentFact,
  SeriesCoverage,
  HistorySeries,
  HistoryChunk,
  HistoryImport,
  order.Order,
  order.OrderTransition,
  order.DeniedFold,
  OrderDispatch,
  VenueEvent,
  order.Fill,
  order.Position,
  order.OrderAllocation,
  order.FillAllocation,
  PaperOrder,
  PaperFill,
  PaperLevel,
  VenueConnection,
  VenueCredential,
  VenueAccountClaim,
  VenueDifference,
  VenueCursor,
  VenueCash,
  Backtest,
  BacktestPart,
  Sweep,
  SweepTrial,
  notification.NotificationChannel,
  notification.Notification,
  notification.NotificationDelivery,
  notification.NotificationCursor,
  notification.NotificationMark,
  notification.PushKey,
  Signal,
  SignalValue,
  OauthClient,
  OauthGrant,
  CareersApplication,
  OperationRun,
  Cell,
  MovedAccount,
  MovedEmail,
  MovedKey,
  ArrivingPart,
  Operator,
  Process,
] as const;
