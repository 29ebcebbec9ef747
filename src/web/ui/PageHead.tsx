import { label } from '#site/label.ts'

/** Title and description; React moves them into the head. */
export function PageHead({ title, description }: { title?: string; description?: string }) {
  return (
    <>
      <title>{title ? `${title} - ${label.name}` : `${label.name} - ${label.tagline}`}</title>
      {description && <meta name="description" content={description} />}
    </>
  )
}
