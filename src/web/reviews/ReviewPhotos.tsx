import type { ReviewPhoto } from '#contract/reviews.ts'
import { say } from '#words/say.ts'

/** Thumbnails that lead to the whole photo. */
export const ReviewPhotos = ({ photos, name }: { photos: readonly ReviewPhoto[]; name: string }) =>
  photos.length > 0 && (
    <ul className="mt-4 flex flex-wrap gap-3">
      {photos.map(({ file, src, srcSet, width, height }, index) => (
        <li key={file}>
          <a href={src} target="_blank" rel="noopener" className="block overflow-hidden rounded-card plate">
            <img
              src={src}
              srcSet={srcSet}
              sizes="112px"
              width={width}
              height={height}
              loading="lazy"
              decoding="async"
              alt={say('{number} of {total}, by {name}', { number: index + 1, total: photos.length, name })}
              className="size-28 object-cover"
            />
          </a>
        </li>
      ))}
    </ul>
  )
