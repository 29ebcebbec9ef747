type Props = {
  addresses: readonly string[]
  /** Describes them, such as `What you sent`. */
  what: string
  /** Classes of each side. */
  size?: string
}

/** Thumbnails that lead to the whole photos. */
export const PhotoList = ({ addresses, what, size = 'size-24' }: Props) =>
  addresses.length > 0 && (
    <ul className="mt-3 flex flex-wrap gap-3">
      {addresses.map((address, index) => (
        <li key={address}>
          <a href={address}>
            <img
              src={address}
              alt={`${what}, ${index + 1}`}
              loading="lazy"
              className={`${size} rounded-card border border-line object-cover`}
            />
          </a>
        </li>
      ))}
    </ul>
  )
