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
  /** As wide as the page: two in a row, or one. */
  isWide?: boolean
}

/** Collections with their pictures: for the panel of the main bar and the menu of phones, loaded when one of them opens, and for the end of a collection. */
export function CollectionLinks({ collections, isWide = false }: Props) {
  const { data } = useQuery(collectionsQuery)
  const all = useCollections()
  return (
    <ul
      className={classNames(
        'grid gap-3',
        isWide ? 'auto-cols-fr grid-flow-col md:gap-6 xl:gap-8' : 'grid-cols-3 md:gap-5',
      )}
    >
      {(collections ?? all).map((collection) => {
        const hero = data?.collections.find(({ id }) => id === collection.id)?.hero
        return (
          <li key={collection.id}>
            <Link to={pathOfCollection(collection)} className="group block">
              <span
                className={classNames(
                  'plate block aspect-[3/2] overflow-hidden rounded-card',
                  isWide && 'md:aspect-video lg:aspect-[2] md:[:only-child>a>&]:aspect-[3]',
                )}
              >
                {hero && (
                  <Picture
                    picture={toPicture(hero)}
                    alt=""
                    sizes={
                      !isWide
                        ? '(min-width: 768px) 240px, 31vw'
                        : collections?.length === 1
                          ? '(min-width: 80rem) 1216px, 92vw'
                          : '(min-width: 80rem) 592px, 45vw'
                    }
                    className={classNames('size-full object-cover', isWide ? 'object-[60%_44%]' : 'object-[60%]')}
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
