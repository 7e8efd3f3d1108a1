import { receive } from '../../../shop.js';

export async function POST(request) {
  return new Response(null, { status: await receive(await request.arrayBuffer(), request.headers) });
}
