import { useQuery } from '@tanstack/react-query'
import type { CollectionPicture } from '#domain/catalog/collection-theme.ts'
import { collectionsQuery } from '#web/api/queries.ts'
import { toPicture } from './hero.ts'
import { Picture } from './Picture.tsx'

type Props = {
  /** A picture of its own, or the collection's ID or index among those with a picture; if it names none of them, the last one is shown. */
  of: CollectionPicture | string | number
  /** At the head of the page. */
  first?: boolean
  className?: string
}

/** An animal where there would otherwise be a void. */
export function AnimalPicture({ of, first = false, className = '' }: Props) {
  const { data } = useQuery(collectionsQuery)
  const pictured = data?.collections.filter(({ hero }) => hero) ?? []
  const hero =
    typeof of === 'object' ? of : (pictured.find(({ id }, index) => id === of || index === of) ?? pictured.at(-1))?.hero
  if (!hero) return null
  return (
    <Picture
      picture={toPicture(hero)}
      alt={hero.alt}
      first={first}
      sizes="(min-width: 1024px) 34rem, 92vw"
      className={`w-full rounded-card object-cover ${className}`}
    />
  )
}
