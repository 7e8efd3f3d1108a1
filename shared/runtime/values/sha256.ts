import { hash } from 'node:crypto';

/** Returns the SHA-256 hash in hex. Row keys and signatures depend on this format. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data);
}

export function sha256Bytes(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}
