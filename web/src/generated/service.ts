// From the service's own lists: npm run openapi
import { type Message, msg } from '../language/language.ts';

/** A field of the form that adds a channel. `address` is one of the account's own addresses. */
export type ChannelField = {
  readonly name: string;
  readonly label: Message;
  readonly placeholder?: string;
  readonly hint?: Message;
  readonly isOptional?: boolean;
  readonly isLong?: boolean;
};

type ChannelWords = {
  readonly title: Message;
  readonly help: Message;
  /** No fields if no form adds it. */
  readonly fields: readonly ChannelField[];
};

/** The columns of the table of orders. */
export const ORDER_COLUMNS = [
  {"name":"createdAt",title:msg("Time")},
  {"name":"id",title:msg("Order")},
  {"name":"status",title:msg("Status")},
  {"name":"side",title:msg("Side")},
  {"name":"title",title:msg("Instrument")},
  {"name":"amount",title:msg("Amount"),"form":"amount"},
  {"name":"filledAmount",title:msg("Filled"),"form":"amount"},
  {"name":"limitPrice",title:msg("Limit"),"form":"price"},
  {"name":"averagePrice",title:msg("Average"),"form":"price"},
  {"name":"size",title:msg("Notional"),"form":"usd"},
  {"name":"blueprintName",title:msg("Strategy")},
] as const;

/** The fields of its CSV. */
export const ORDER_FIELDS = ["id","createdAt","status","side","type","venue","tokenId","title","amount","filledAmount","limitPrice","averagePrice","size","blueprintId","blueprintName","reason"] as const;

/** The venues, in the order of lists. */
export const VENUES = {
  "venue-a": {title:msg("Venue A"),"kind":"outcome"},
  "venue-b": {title:msg("Venue B"),"kind":"outcome"},
  "crypto": {title:msg("Crypto"),"kind":"spot"},
} as const;

/** The name of each kind of channel, and its fields. */
export const CHANNEL_WORDS: Readonly<Record<"webhook" | "slack" | "discord" | "telegram" | "email" | "push", ChannelWords>> = {
  webhook: {title:msg("Webhook"),help:msg("A program of yours at a public https: address gets every notification as JSON, signed so that it can tell that it comes from here."),"fields":[{"name":"url",label:msg("Address"),"placeholder":"https://desk.example.com/hook","isOptional":false},{"name":"bodyTemplate",label:msg("Body (optional)"),"placeholder":"{\"text\": \"{{title}}: {{text}}\"}",hint:msg("JSON of your own; the guide to notifications lists the placeholders. Without it, the body has all details."),"isLong":true,"isOptional":true}]},
  slack: {title:msg("Slack"),help:msg("In Slack: Apps, Incoming Webhooks, Add to Slack. Paste the address it shows."),"fields":[{"name":"url",label:msg("Address of the incoming webhook"),"placeholder":"https://hooks.slack.com/services/…","isOptional":false}]},
  discord: {title:msg("Discord"),help:msg("In Discord: settings of the text channel, Integrations, Webhooks, New webhook, Copy URL."),"fields":[{"name":"url",label:msg("Address of the webhook"),"placeholder":"https://discord.com/api/webhooks/…","isOptional":false}]},
  telegram: {title:msg("Telegram"),help:msg("In Telegram: ask @BotFather for a new bot, write it a message once, and give its token and the id of the chat."),"fields":[{"name":"botToken",label:msg("Token of the bot"),"placeholder":"123456:ABC…","isOptional":false},{"name":"chatId",label:msg("Chat ID"),hint:msg("A number, or @name of a channel; @userinfobot says yours."),"isOptional":false}]},
  email: {title:msg("E-mail"),help:msg("Only to an address that a user of this account signs in with."),"fields":[{"name":"address",label:msg("To"),"isOptional":false}]},
  push: {title:msg("Browser"),help:msg("The browser shows notifications, also while the console is closed. Turn them on in that browser."),"fields":[]},
};
