/**
 * All bytes of a request's body, or undefined if there are more than `max`. Read to its end either way: otherwise a refusal would not
 * arrive, and the connection would stay open.
 */
export async function readBounded(
  body: AsyncIterable<Uint8Array> | undefined,
  max: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.byteLength
    if (length <= max) chunks.push(chunk)
  }
  return length > max ? undefined : Buffer.concat(chunks)
}
