import { useSite } from '#web/api/use-site.ts'

/** Customer care's address, as a link. */
export function SupportEmail({ subject }: { subject?: string }) {
  const { supportEmail } = useSite()
  const query = subject === undefined ? '' : `?subject=${encodeURIComponent(subject)}`
  return (
    <a className="link-line" href={`mailto:${supportEmail}${query}`}>
      {supportEmail}
    </a>
  )
}
