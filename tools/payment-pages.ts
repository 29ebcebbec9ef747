/** A payment page as a browser receives it. @property headers with lowercase names */
export type PaymentPage = { path: string; html: string; headers: Readonly<Record<string, string>> }

type Digests = {
  /** Digest of a script of this release; undefined for a path that it does not have. */
  builtDigest: (path: string) => string | undefined
  servedDigest: (path: string) => Promise<string>
}

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script>/gi
/** Includes scripts that the first script loads. */
const OWN_SCRIPT = /\/assets\/[\w.-]+\.js/g

/** Browsers do not run data blocks. */
const isData = (attributes: string): boolean => /\btype="application\/(?:ld\+)?json"/.test(attributes)

/**
 * What a page sends that this release does not: other headers, foreign scripts, changed scripts.
 * @param expected the security headers, with lowercase names
 */
export async function listDifferences(
  { path, html, headers }: PaymentPage,
  expected: Readonly<Record<string, string>>,
  { builtDigest, servedDigest }: Digests,
): Promise<string[]> {
  const differences = Object.entries(expected).flatMap(([name, value]) =>
    headers[name] === value
      ? []
      : [`${path}: the header ${name} is ${headers[name] ?? 'missing'}; it should be ${value}`],
  )
  for (const [, attributes = '', body = ''] of html.matchAll(SCRIPT)) {
    const src = /\bsrc="([^"]*)"/.exec(attributes)?.[1]
    if (src === undefined && !isData(attributes) && body.trim())
      differences.push(`${path}: an inline script that begins with ${body.trim().slice(0, 60)}`)
    if (src !== undefined && !src.startsWith('/assets/')) differences.push(`${path}: a script from ${src}`)
  }
  for (const script of new Set(html.match(OWN_SCRIPT))) {
    const built = builtDigest(script)
    if (!built) differences.push(`${path}: the script ${script}, which this release does not have`)
    else if ((await servedDigest(script)) !== built)
      differences.push(`${path}: the script ${script} differs from this release's build`)
  }
  return differences
}
