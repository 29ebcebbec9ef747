/** A part of an email, such as `message/delivery-status`. */
export type ReportPart = { type: string; text: string }

/** What an email program says about an email that we sent; `other`: nothing final. */
export type MailReport = 'bounced' | 'complained' | 'other'

/** A field of a report, such as `Status: 5.1.1`; they come once for each recipient. */
const fieldsOf = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`^${name}:[ \\t]*(.+?)\\s*$`, 'gim'))].map(([, value = '']) => value.toLowerCase())

/** A full mailbox may be emptied. */
const isFinal = (status: string): boolean => /^5\.\d+\.\d+/.test(status) && !status.startsWith('5.2.2')

/** Reads reports about delivery (RFC 3464) and about complaints (RFC 5965). */
export function readMailReport(parts: readonly ReportPart[]): MailReport {
  const textOf = (type: string) =>
    parts
      .filter((part) => part.type.toLowerCase() === type)
      .map(({ text }) => text)
      .join('\n')
  const complaint = fieldsOf(textOf('message/feedback-report'), 'Feedback-Type')
  if (complaint.some((type) => type !== 'not-spam')) return 'complained'
  const delivery = textOf('message/delivery-status')
  const isFailed = fieldsOf(delivery, 'Action').includes('failed')
  return isFailed && fieldsOf(delivery, 'Status').some(isFinal) ? 'bounced' : 'other'
}
