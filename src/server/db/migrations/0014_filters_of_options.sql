-- A filter of its own for each name of the option "size": products of types that call it otherwise have its values twice,
-- as `size:iPhone 15` and as `sized:Phone model<chr(31)>iPhone 15`.
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
                   ELSE '{}' END AS facets
  FROM product p JOIN product_type t ON t.key = p.type CROSS JOIN LATERAL (
    SELECT coalesce(min(unit_price_cents) FILTER (WHERE s.available), min(unit_price_cents)) AS lowest_price_cents,
           bool_or(s.available) AS available,
           array_agg(DISTINCT 'color:' || split_part(color, ' with ', 1)) FILTER (WHERE color IS NOT NULL) AS colors,
           array_agg(DISTINCT 'size:' || size) FILTER (WHERE size IS NOT NULL) AS sizes
    FROM variant_as_sold s WHERE s.product_id = p.id AND gone_at IS NULL HAVING count(*) > 0) v
  WHERE p.visible;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION relist_products_of_changed_types() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM relist_products((
    SELECT array_agg(p.id) FROM new_rows n JOIN old_rows o USING (key) JOIN product p ON p.type = n.key
    WHERE (n.list_group, n.size_label) IS DISTINCT FROM (o.list_group, o.size_label)));
  RETURN NULL;
END $$;
--> statement-breakpoint
SELECT relist_products((
  SELECT array_agg(p.id) FROM product p JOIN product_type t ON t.key = p.type WHERE t.size_label <> 'Size'));
--> statement-breakpoint
-- Three of the first types named another blank than their products are made of.
UPDATE product_type t SET blank_id = fixed.blank_id
  FROM (VALUES ('visor', 252, 90001), ('polo', 341, 340), ('can-cooler', 630, 764)) AS fixed (key, wrong_id, blank_id)
  WHERE t.key = fixed.key AND t.blank_id = fixed.wrong_id;
--> statement-breakpoint
UPDATE catalog_revision r SET content = jsonb_set(r.content, '{blankId}', to_jsonb(fixed.blank_id))
  FROM (VALUES ('visor', 252, 90001), ('polo', 341, 340), ('can-cooler', 630, 764)) AS fixed (key, wrong_id, blank_id)
  WHERE r.kind = 'product_type' AND r.key = fixed.key AND r.content -> 'blankId' = to_jsonb(fixed.wrong_id);
