export function checkoutPath(accessCode: string): string {
  return `/checkout/${accessCode}`;
}
