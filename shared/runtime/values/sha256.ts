import { hash } from 'node:crypto';

/** In hex. Keys of rows and signatures are made with it: its bytes never change. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data);
}

export function sha256Bytes(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}
