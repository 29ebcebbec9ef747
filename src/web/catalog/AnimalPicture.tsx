import { useQuery } from '@tanstack/react-query'
import { collectionsQuery } from '#web/api/queries.ts'
import { toPicture } from './hero.ts'
import { Picture } from './Picture.tsx'

type Props = {
  /** Which of the collections with a picture, from 0; the last one there is if there are fewer. */
  index: number
  className?: string
  /** In the first screen. */
  first?: boolean
}

/** An animal beside a form that would otherwise stand in a void. */
export function AnimalPicture({ index, className = '', first = false }: Props) {
  const { data } = useQuery(collectionsQuery)
  const heroes = data?.collections.flatMap(({ hero }) => hero ?? []) ?? []
  const hero = heroes[index] ?? heroes.at(-1)
  if (!hero) return null
  return (
    <Picture
      picture={toPicture(hero)}
      alt={hero.alt}
      sizes="(min-width: 1024px) 34rem, 92vw"
      first={first}
      className={`w-full rounded-card object-cover ${className}`}
    />
  )
}
