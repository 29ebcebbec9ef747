import { editDistance } from '#domain/catalog/typos.ts'

/** Domains of the mailboxes most people have. */
const likely = [
  'gmail.com',
  'googlemail.com',
  'yahoo.com',
  'yahoo.co.uk',
  'hotmail.com',
  'hotmail.co.uk',
  'outlook.com',
  'icloud.com',
  'protonmail.com',
  'comcast.net',
  'verizon.net',
  'sbcglobal.net',
]
/** Other providers whose domains look like a typo of one above. */
const real = new Set([...likely, 'mail.com', 'ymail.com', 'email.com'])

/**
 * The address that was probably meant. Only a hint: shoppers know their own address.
 * @returns undefined unless the domain is one letter away from a common one
 */
export function likelyEmail(typed: string): string | undefined {
  const [, name, domain] = /^([^\s@]+)@([^\s@]+)$/.exec(typed.trim()) ?? []
  const written = domain?.toLowerCase()
  if (!name || !written || real.has(written)) return undefined
  const meant = likely.find((known) => editDistance(written, known) === 1)
  return meant && `${name}@${meant}`
}
