import { useQuery } from '@tanstack/react-query'
import { sayKnown } from '#words/say.ts'
import { collectionsQuery } from '#web/api/queries.ts'
import { toPicture } from '#web/catalog/hero.ts'
import { Picture } from '#web/catalog/Picture.tsx'
import { Link } from '../Link.tsx'
import { pathOfCollection, useCollections } from '../use-collections.ts'

/** All collections with their pictures, for the panel of the main bar and the menu of phones; loaded when one of them opens. */
export function CollectionLinks() {
  const { data } = useQuery(collectionsQuery)
  return (
    <ul className="grid grid-cols-3 gap-3 md:gap-5">
      {useCollections().map((collection) => {
        const hero = data?.collections.find(({ id }) => id === collection.id)?.hero
        return (
          <li key={collection.id}>
            <Link to={pathOfCollection(collection)} className="group block">
              <span className="plate block aspect-[4/3] overflow-hidden rounded-card">
                {hero && (
                  <Picture
                    picture={toPicture(hero)}
                    alt=""
                    sizes="(min-width: 768px) 240px, 31vw"
                    className="size-full object-cover object-[72%]"
                  />
                )}
              </span>
              <span className="mt-2 block font-display text-[1.0625rem] leading-tight underline-offset-4 group-hover:underline md:text-xl">
                {sayKnown(collection.displayName)}
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
