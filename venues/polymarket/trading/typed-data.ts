/**
 * Hashes of orders by EIP-712. Every field of an order is one static word, so its encoding is the concatenation of the words.
 * The hash of an order is its id at the venue. Pure.
 */

import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { ExchangeDomain } from './contracts.ts';

export const SIGNATURE_TYPES = { eoa: 0, depositWallet: 3 } as const;

/** The signed fields of an order. Numbers are decimal strings, addresses and words hexadecimal with `0x`. */
export type TypedOrder = {
  readonly salt: string;
  readonly maker: string;
  readonly signer: string;
  readonly tokenId: string;
  readonly makerAmount: string;
  readonly takerAmount: string;
  readonly side: 'BUY' | 'SELL';
  /** 1 and 2 are wallets of older accounts, which this service does not sign for. */
  readonly signatureType: number;
  /** Epoch ms. */
  readonly timestamp: string;
  readonly metadata: string;
  readonly builder: string;
};

export const ORDER_TYPE =
  'Order(uint256 salt,address maker,address signer,uint256 tokenId,uint256 makerAmount,uint256 takerAmount,uint8 side,uint8 signatureType,uint256 timestamp,bytes32 metadata,bytes32 builder)';
const DOMAIN_TYPE = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
const WALLET_TYPE = `TypedDataSign(Order contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)${ORDER_TYPE}`;

const EXCHANGE_NAME = 'Polymarket CTF Exchange';
const WALLET = { name: 'DepositWallet', version: '1' };

const WORD_BYTES = 32;
const PREFIX = Uint8Array.of(0x19, 0x01);
export const ZERO_WORD = `0x${'0'.repeat(2 * WORD_BYTES)}`;

const hashOfText = (text: string): Uint8Array => keccak_256(utf8ToBytes(text));

/** A number as 32 bytes; throws a RangeError if it does not fit. */
export function wordOf(value: bigint): Uint8Array {
  if (value < 0n || value >= 1n << 256n) throw new RangeError('a word holds 0 to 2^256 - 1');
  return hexToBytes(value.toString(16).padStart(2 * WORD_BYTES, '0'));
}

const numberWord = (decimal: string): Uint8Array => wordOf(BigInt(decimal));
/** An address or 32 bytes; both are numbers to the encoding. */
const hexWord = (hex: string): Uint8Array => wordOf(BigInt(hex));

export function domainSeparatorOf({ version, chainId, verifyingContract }: ExchangeDomain): Uint8Array {
  return keccak_256(
    concatBytes(
      hashOfText(DOMAIN_TYPE),
      hashOfText(EXCHANGE_NAME),
      hashOfText(version),
      wordOf(BigInt(chainId)),
      hexWord(verifyingContract),
    ),
  );
}

export function structHashOf(order: TypedOrder): Uint8Array {
  return keccak_256(
    concatBytes(
      hashOfText(ORDER_TYPE),
      numberWord(order.salt),
      hexWord(order.maker),
      hexWord(order.signer),
      numberWord(order.tokenId),
      numberWord(order.makerAmount),
      numberWord(order.takerAmount),
      wordOf(order.side === 'BUY' ? 0n : 1n),
      wordOf(BigInt(order.signatureType)),
      numberWord(order.timestamp),
      hexWord(order.metadata),
      hexWord(order.builder),
    ),
  );
}

/** The hash of an order, which is its id at the venue, for every kind of wallet. */
export const orderHashOf = (order: TypedOrder, domain: ExchangeDomain): Uint8Array =>
  keccak_256(concatBytes(PREFIX, domainSeparatorOf(domain), structHashOf(order)));

/** The digest that the key of a deposit wallet signs: the order within the wallet's own domain (ERC-7739). */
export function walletDigestOf(order: TypedOrder, domain: ExchangeDomain): Uint8Array {
  const signed = keccak_256(
    concatBytes(
      hashOfText(WALLET_TYPE),
      structHashOf(order),
      hashOfText(WALLET.name),
      hashOfText(WALLET.version),
      wordOf(BigInt(domain.chainId)),
      hexWord(order.signer),
      hexWord(ZERO_WORD),
    ),
  );
  return keccak_256(concatBytes(PREFIX, domainSeparatorOf(domain), signed));
}

/** An address in lower case: the last 20 bytes of the hash of a public key (64 bytes, without the leading 0x04). */
export const addressOfPublicKey = (publicKey: Uint8Array): string =>
  `0x${Buffer.from(keccak_256(publicKey)).subarray(-20).toString('hex')}`;
