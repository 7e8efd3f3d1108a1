import { hash } from 'node:crypto';

/** SHA-256 in hex. Row keys and signatures use it, so its output never changes. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data);
}

export function sha256Bytes(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}
