import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'

/** The picture of the chosen variant; its link says in words what it is. */
export const LinePicture = ({ src }: { src: string | null }) => (
  <img
    src={src ?? DEFAULT_PICTURE}
    width="208"
    height="208"
    alt=""
    loading="lazy"
    decoding="async"
    className="block aspect-square w-full object-cover"
  />
)
