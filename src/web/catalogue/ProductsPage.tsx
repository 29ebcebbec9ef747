export const ProductsPage = () => <h1 className="shell">ProductsPage</h1>
