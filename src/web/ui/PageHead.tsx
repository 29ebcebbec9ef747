import { label } from '#site/label.ts'

/** What a tab, a bookmark and a search result say of a page. React puts it into the head. */
export function PageHead({ title, description }: { title?: string; description?: string }) {
  return (
    <>
      <title>{title ? `${title} - ${label.name}` : `${label.name} - ${label.tagline}`}</title>
      {description && <meta name="description" content={description} />}
    </>
  )
}
