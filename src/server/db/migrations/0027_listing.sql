CREATE TABLE "facet_count" (
	"collection" text NOT NULL,
	"facet" text NOT NULL,
	"hex" text,
	"count" integer NOT NULL,
	CONSTRAINT "facet_count_collection_facet_pk" PRIMARY KEY("collection","facet")
);
--> statement-breakpoint
CREATE TABLE "listed_product" (
	"product_id" integer PRIMARY KEY NOT NULL,
	"collection" text NOT NULL,
	"type" text NOT NULL,
	"listing_key" text collate "C" NOT NULL,
	"from_cents" bigint NOT NULL,
	"available" boolean NOT NULL,
	"facets" text[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "listed_product" ADD CONSTRAINT "listed_product_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "listed_product_listing_key_product_id_index" ON "listed_product" USING btree ("listing_key","product_id");--> statement-breakpoint
CREATE INDEX "listed_product_collection_listing_key_product_id_index" ON "listed_product" USING btree ("collection","listing_key","product_id");--> statement-breakpoint
CREATE INDEX "listed_product_collection_type_listing_key_product_id_index" ON "listed_product" USING btree ("collection","type","listing_key","product_id");--> statement-breakpoint
CREATE INDEX "listed_product_facets_index" ON "listed_product" USING gin ("facets");
--> statement-breakpoint
-- What a list shows of each product. The order is that of domain/catalogue/listing-order.ts, the spans of prices and the colours are
-- those of domain/catalogue/facets.ts; a test compares them.
CREATE VIEW product_as_listed AS
  SELECT p.id AS product_id, p.collection, p.type,
         (lpad(coalesce(p.place, 99999)::text, 5, '0') ||
          CASE p.type WHEN 'vented-hat' THEN '0' WHEN 'hat' THEN '1' WHEN 'visor' THEN '2' WHEN 't-shirt' THEN '3'
                      WHEN 'polo' THEN '3' WHEN 'mug' THEN '4' WHEN 'water-bottle' THEN '5' WHEN 'pillow' THEN '6'
                      WHEN 'tote' THEN '7' ELSE '8' END ||
          lower(p.name) || chr(1) || p.name) COLLATE "C" AS listing_key,
         v.from_cents, v.available,
         ARRAY['all', 'type:' || p.type,
               CASE WHEN v.from_cents < 2000 THEN 'price:0-20' WHEN v.from_cents < 3000 THEN 'price:20-30'
                    WHEN v.from_cents < 5000 THEN 'price:30-50' ELSE 'price:50-' END]
           || coalesce(v.colours, '{}') || CASE WHEN cardinality(v.sizes) > 1 THEN v.sizes ELSE '{}' END AS facets
  FROM product p CROSS JOIN LATERAL (
    SELECT coalesce(min(price_cents) FILTER (WHERE availability = 'active'), min(price_cents)) AS from_cents,
           bool_or(availability = 'active') AS available,
           array_agg(DISTINCT 'colour:' || split_part(colour, ' with ', 1)) FILTER (WHERE colour IS NOT NULL) AS colours,
           array_agg(DISTINCT 'size:' || size) FILTER (WHERE size IS NOT NULL) AS sizes
    FROM variant WHERE product_id = p.id AND gone_at IS NULL HAVING count(*) > 0) v
  WHERE p.visible;
--> statement-breakpoint
CREATE FUNCTION list_products_anew(ids integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF ids IS NULL THEN RETURN; END IF;
  -- Who changes the same product meanwhile is waited for, and then seen.
  PERFORM 1 FROM product WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
  DELETE FROM listed_product l
    WHERE product_id = ANY (ids) AND NOT EXISTS (SELECT 1 FROM product_as_listed s WHERE s.product_id = l.product_id);
  INSERT INTO listed_product AS l (product_id, collection, type, listing_key, from_cents, available, facets)
    SELECT product_id, collection, type, listing_key, from_cents, available, facets
    FROM product_as_listed WHERE product_id = ANY (ids)
    ON CONFLICT (product_id) DO UPDATE SET collection = excluded.collection, type = excluded.type,
      listing_key = excluded.listing_key, from_cents = excluded.from_cents, available = excluded.available,
      facets = excluded.facets
    WHERE (l.collection, l.type, l.listing_key, l.from_cents, l.available, l.facets)
      IS DISTINCT FROM
      (excluded.collection, excluded.type, excluded.listing_key, excluded.from_cents, excluded.available, excluded.facets);
END $$;
--> statement-breakpoint
CREATE FUNCTION list_changed_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM list_products_anew((SELECT array_agg(id) FROM new_rows));
  ELSE
    PERFORM list_products_anew((
      SELECT array_agg(n.id) FROM new_rows n JOIN old_rows o USING (id)
      WHERE (n.collection, n.type, n.name, n.place, n.visible, n.colours)
        IS DISTINCT FROM (o.collection, o.type, o.name, o.place, o.visible, o.colours)));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION list_products_of_changed_variants() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM list_products_anew((SELECT array_agg(DISTINCT product_id) FROM new_rows));
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM list_products_anew((SELECT array_agg(DISTINCT product_id) FROM old_rows));
  ELSE
    PERFORM list_products_anew((
      SELECT array_agg(DISTINCT moved.id) FROM new_rows n JOIN old_rows o USING (id)
        CROSS JOIN LATERAL (VALUES (n.product_id), (o.product_id)) AS moved (id)
      WHERE (n.product_id, n.price_cents, n.availability, n.colour, n.size, n.gone_at)
        IS DISTINCT FROM (o.product_id, o.price_cents, o.availability, o.colour, o.size, o.gone_at)));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER product_listed AFTER INSERT ON product
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION list_changed_products();
--> statement-breakpoint
CREATE TRIGGER product_listed_anew AFTER UPDATE ON product
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION list_changed_products();
--> statement-breakpoint
CREATE TRIGGER variant_listed AFTER INSERT ON variant
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION list_products_of_changed_variants();
--> statement-breakpoint
CREATE TRIGGER variant_listed_anew AFTER UPDATE ON variant
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION list_products_of_changed_variants();
--> statement-breakpoint
CREATE TRIGGER variant_not_listed AFTER DELETE ON variant
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION list_products_of_changed_variants();
--> statement-breakpoint
-- The look of a colour, as the catalogue file says it of one of its products.
CREATE FUNCTION dye_of(product_id integer, facet text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT dye->>'hex' FROM product p, jsonb_array_elements(p.colours) dye
  WHERE p.id = $1 AND $2 LIKE 'colour:%' AND split_part(dye->>'name', ' with ', 1) = substr($2, 8)
  ORDER BY dye->>'name' <> substr($2, 8) LIMIT 1
$$;
--> statement-breakpoint
CREATE FUNCTION count_facets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM facet_count;
    RETURN NULL;
  END IF;
  -- In one order, so that two who count do not wait for each other.
  IF TG_OP <> 'INSERT' THEN
    UPDATE facet_count c SET count = c.count - gone.count FROM (
      SELECT collection, facet, count(*) AS count FROM old_rows, unnest(facets) facet
      GROUP BY collection, facet ORDER BY collection, facet) gone
    WHERE c.collection = gone.collection AND c.facet = gone.facet;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO facet_count AS kept (collection, facet, hex, count)
      SELECT collection, facet, dye_of(min(product_id), facet), count(*) FROM new_rows, unnest(facets) facet
      GROUP BY collection, facet ORDER BY collection, facet
      ON CONFLICT (collection, facet) DO UPDATE SET count = kept.count + excluded.count,
        hex = coalesce(excluded.hex, kept.hex);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER listed_product_counted AFTER INSERT ON listed_product
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_facets();
--> statement-breakpoint
CREATE TRIGGER listed_product_counted_anew AFTER UPDATE ON listed_product
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_facets();
--> statement-breakpoint
CREATE TRIGGER listed_product_not_counted AFTER DELETE ON listed_product
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_facets();
--> statement-breakpoint
CREATE TRIGGER listed_product_emptied AFTER TRUNCATE ON listed_product
  FOR EACH STATEMENT EXECUTE FUNCTION count_facets();
--> statement-breakpoint
-- What is looked for letter by letter.
CREATE INDEX product_search_letters ON product USING gin (lower(name || ' ' || description) gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX product_type ON product (type);
--> statement-breakpoint
SELECT list_products_anew((SELECT array_agg(id) FROM product));
