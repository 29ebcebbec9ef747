import { sayKnown } from '#words/say.ts'
import { useSite } from '#web/api/use-site.ts'

/** Title and description; React moves them into the head. */
export function PageHead({ title, description }: { title?: string; description?: string }) {
  const site = useSite()
  return (
    <>
      <title>{title ? `${title} - ${site.name}` : `${site.name} - ${sayKnown(site.tagline)}`}</title>
      {description && <meta name="description" content={description} />}
    </>
  )
}
