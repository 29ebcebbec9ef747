/** Shown when a product's picture is missing or broken (specification, section 3, Cart item). */
export const DEFAULT_PICTURE = '/pictures/default.webp'
