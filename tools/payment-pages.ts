/** A page that takes payment, as a browser gets it. @property headers by their names in small letters */
export type PaymentPage = { path: string; html: string; headers: Readonly<Record<string, string>> }

type Digests = {
  /** Of a script of ours as this release was built; undefined for a path that it does not have. */
  builtDigest: (path: string) => string | undefined
  servedDigest: (path: string) => Promise<string>
}

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script>/gi
/** Also those that the first script is told to load. */
const OURS = /\/assets\/[\w.-]+\.js/g

/** Blocks of data: browsers do not run them. */
const isData = (attributes: string): boolean => /\btype="application\/(?:ld\+)?json"/.test(attributes)

/**
 * What a page sends that this release does not: headers, scripts of others, changed scripts of ours.
 * @param expected the headers by which the page is protected, by their names in small letters
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
  for (const script of new Set(html.match(OURS))) {
    const built = builtDigest(script)
    if (!built) differences.push(`${path}: the script ${script}, which this release does not have`)
    else if ((await servedDigest(script)) !== built)
      differences.push(`${path}: the script ${script} is not as this release was built`)
  }
  return differences
}
