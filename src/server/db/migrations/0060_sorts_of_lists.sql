ALTER TABLE "listed_product" ADD COLUMN "rating_rank" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "listed_product_lowest_price_cents_product_id_index" ON "listed_product" USING btree ("lowest_price_cents","product_id");--> statement-breakpoint
CREATE INDEX "listed_product_rating_rank_product_id_index" ON "listed_product" USING btree ("rating_rank","product_id");--> statement-breakpoint
-- As before, with the rank by reviews.
CREATE OR REPLACE VIEW product_as_listed AS
  SELECT p.id AS product_id, p.collection, p.type,
         (lpad(coalesce(p.place, 99999)::text, 5, '0') ||
          -- A digit, or a character after the digits.
          chr(48 + t.list_group) ||
          lower(p.name) || chr(1) || p.name) COLLATE "C" AS listing_key,
         v.lowest_price_cents, v.available,
         ARRAY['all', 'type:' || p.type,
               CASE WHEN v.lowest_price_cents < 2000 THEN 'price:0-20' WHEN v.lowest_price_cents < 3000 THEN 'price:20-30'
                    WHEN v.lowest_price_cents < 5000 THEN 'price:30-50' ELSE 'price:50-' END]
           || coalesce(v.colors, '{}')
           || CASE WHEN cardinality(v.sizes) > 1 THEN v.sizes ELSE '{}' END
           || CASE WHEN cardinality(v.sizes) > 1 AND t.size_label <> 'Size'
                   THEN ARRAY(SELECT 'sized:' || t.size_label || chr(31) || substr(size, 6) FROM unnest(v.sizes) AS size)
                   ELSE '{}' END AS facets,
         coalesce((SELECT -(rating * 10)::int * 1000000 - least(review_count, 999999)
                   FROM product_rating r WHERE r.product_id = p.id), 0) AS rating_rank
  FROM product p JOIN product_type t ON t.key = p.type CROSS JOIN LATERAL (
    SELECT coalesce(min(unit_price_cents) FILTER (WHERE s.available), min(unit_price_cents)) AS lowest_price_cents,
           bool_or(s.available) AS available,
           array_agg(DISTINCT 'color:' || split_part(color, ' with ', 1)) FILTER (WHERE color IS NOT NULL) AS colors,
           array_agg(DISTINCT 'size:' || size) FILTER (WHERE size IS NOT NULL) AS sizes
    FROM variant_as_sold s WHERE s.product_id = p.id AND gone_at IS NULL HAVING count(*) > 0) v
  WHERE p.visible;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION relist_products(ids integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF ids IS NULL THEN RETURN; END IF;
  -- Waits for a concurrent change of the same product, then sees it.
  PERFORM 1 FROM product WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
  DELETE FROM listed_product l
    WHERE product_id = ANY (ids) AND NOT EXISTS (SELECT 1 FROM product_as_listed s WHERE s.product_id = l.product_id);
  INSERT INTO listed_product AS l (product_id, collection, type, listing_key, lowest_price_cents, available, facets, rating_rank)
    SELECT product_id, collection, type, listing_key, lowest_price_cents, available, facets, rating_rank
    FROM product_as_listed WHERE product_id = ANY (ids)
    ON CONFLICT (product_id) DO UPDATE SET collection = excluded.collection, type = excluded.type,
      listing_key = excluded.listing_key, lowest_price_cents = excluded.lowest_price_cents, available = excluded.available,
      facets = excluded.facets, rating_rank = excluded.rating_rank
    WHERE (l.collection, l.type, l.listing_key, l.lowest_price_cents, l.available, l.facets, l.rating_rank)
      IS DISTINCT FROM
      (excluded.collection, excluded.type, excluded.listing_key, excluded.lowest_price_cents, excluded.available,
       excluded.facets, excluded.rating_rank);
END $$;
--> statement-breakpoint
-- Of reviews only those that are shown, or were, can change a rank.
CREATE FUNCTION rank_reviewed_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM relist_products((SELECT array_agg(DISTINCT product_id) FROM new_rows WHERE state = 'published'));
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM relist_products((SELECT array_agg(DISTINCT product_id) FROM old_rows WHERE state = 'published'));
  ELSE
    PERFORM relist_products((
      SELECT array_agg(DISTINCT n.product_id) FROM new_rows n JOIN old_rows o USING (id)
      WHERE (n.state, n.stars) IS DISTINCT FROM (o.state, o.stars) AND 'published' IN (n.state, o.state)));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER review_ranks AFTER INSERT ON review
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION rank_reviewed_products();
--> statement-breakpoint
CREATE TRIGGER review_reranks AFTER UPDATE ON review
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION rank_reviewed_products();
--> statement-breakpoint
CREATE TRIGGER review_no_longer_ranks AFTER DELETE ON review
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION rank_reviewed_products();
--> statement-breakpoint
SELECT relist_products((SELECT array_agg(product_id) FROM product_rating));
