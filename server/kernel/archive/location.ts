/** Where archived files are, from its URL. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export type S3Location = {
  readonly kind: 's3';
  readonly endpoint: string;
  readonly bucket: string;
  /** Empty, or a path that ends with a slash. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};
export type ArchiveLocation = { readonly kind: 'folder'; readonly folder: string } | S3Location;

const FORM = 's3://key:secret@bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1';
const BUCKET = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/;

/**
 * Parses `file:///folder` or `s3://key:secret@bucket/prefix?endpoint=…&region=…`.
 *
 * @throws Error that starts with `must`, without the secret
 */
export function parseArchiveUrl(text: string): ArchiveLocation {
  const url = URL.parse(text);
  if (url?.protocol === 'file:' && url.host === '' && path.posix.normalize(url.pathname) !== '/')
    return { kind: 'folder', folder: fileURLToPath(url) };
  if (url?.protocol !== 's3:') throw new Error(`must be file:///folder or ${FORM}`);
  const { endpoint, region, ...unknown } = Object.fromEntries(url.searchParams);
  const service = URL.parse(endpoint ?? '');
  if (!BUCKET.test(url.hostname) || url.username === '' || url.password === '')
    throw new Error(`must name key, secret and bucket: ${FORM}`);
  if (service === null || !/^https?:$/.test(service.protocol) || service.pathname !== '/')
    throw new Error('must name an endpoint such as https://s3.example.com, without a path');
  if (region === undefined) throw new Error('must name a region, such as us-east-1');
  if (Object.keys(unknown).length > 0)
    throw new Error(`must have no other parameters than endpoint and region: ${Object.keys(unknown)}`);
  const prefix = decodeURIComponent(url.pathname).split('/').filter(Boolean).join('/');
  return {
    kind: 's3',
    endpoint: service.origin,
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region,
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  };
}
