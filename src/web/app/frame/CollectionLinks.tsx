import { useQuery } from '@tanstack/react-query'
import type { CollectionLink } from '#contract/public-config.ts'
import { sayKnown } from '#words/say.ts'
import { collectionsQuery } from '#web/api/queries.ts'
import { toPicture } from '#web/catalog/hero.ts'
import { Picture } from '#web/catalog/Picture.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Link } from '../Link.tsx'
import { pathOfCollection, useCollections } from '../use-collections.ts'

type Props = {
  /** All if left out. */
  collections?: readonly CollectionLink[]
  /** Two in a row as wide as the page. */
  isWide?: boolean
}

/** Collections with their pictures: for the panel of the main bar and the menu of phones, loaded when one of them opens, and for the end of a collection. */
export function CollectionLinks({ collections, isWide = false }: Props) {
  const { data } = useQuery(collectionsQuery)
  const all = useCollections()
  return (
    <ul className={classNames('grid gap-3', isWide ? 'grid-cols-2 md:gap-6 xl:gap-8' : 'grid-cols-3 md:gap-5')}>
      {(collections ?? all).map((collection) => {
        const hero = data?.collections.find(({ id }) => id === collection.id)?.hero
        return (
          <li key={collection.id}>
            <Link to={pathOfCollection(collection)} className="group block">
              <span
                className={classNames(
                  'plate block aspect-[4/3] overflow-hidden rounded-card',
                  isWide && 'md:aspect-video lg:aspect-[2.2]',
                )}
              >
                {hero && (
                  <Picture
                    picture={toPicture(hero)}
                    alt=""
                    sizes={isWide ? '(min-width: 80rem) 592px, 45vw' : '(min-width: 768px) 240px, 31vw'}
                    className={classNames('size-full object-cover', isWide ? 'object-[60%_25%]' : 'object-[72%]')}
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
