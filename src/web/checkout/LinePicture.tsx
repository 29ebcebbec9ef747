import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'

/** Without alternative text: the product's name is beside it. */
export const LinePicture = ({ src }: { src: string | null }) => (
  <img
    src={src || DEFAULT_PICTURE}
    width={72}
    height={72}
    alt=""
    decoding="async"
    className="plate size-18 rounded-card border border-line object-cover"
  />
)
