export const ProductPage = () => <h1 className="shell">ProductPage</h1>
