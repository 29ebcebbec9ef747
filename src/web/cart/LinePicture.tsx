import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'

/** Without alternative text: the link around it names the product. */
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
