/** Whether a client accepts a gzipped body: it names gzip or `*`, and not with `q=0`. */
export function acceptsGzip(headers: Readonly<Record<string, string | undefined>>): boolean {
  const weights = new Map(
    (headers['accept-encoding'] ?? '').split(',').map((part) => {
      const [coding = '', weight = ''] = part.toLowerCase().split(';');
      return [coding.trim(), Number(/^\s*q=([\d.]+)\s*$/.exec(weight)?.[1] ?? 1)];
    }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
