CREATE VIEW variant_as_sold AS
  SELECT v.id, v.product_id, p.name AS product_name, v.color, v.size, v.unit_price_cents, v.gone_at,
         p.visible AND v.gone_at IS NULL AND v.availability = 'active' AS available,
         -- The picture in the variant's color, otherwise the product's first.
         (SELECT json_build_object('file', f.file, 'widths', f.widths) FROM product_picture f
          WHERE f.product_id = p.id ORDER BY (f.color IS NOT DISTINCT FROM v.color) DESC, f.position LIMIT 1) AS picture
  FROM variant v JOIN product p ON p.id = v.product_id;
--> statement-breakpoint
CREATE OR REPLACE VIEW product_as_listed AS
  SELECT p.id AS product_id, p.collection, p.type,
         (lpad(coalesce(p.place, 99999)::text, 5, '0') ||
          CASE p.type WHEN 'vented-hat' THEN '0' WHEN 'hat' THEN '1' WHEN 'visor' THEN '2' WHEN 't-shirt' THEN '3'
                      WHEN 'polo' THEN '3' WHEN 'mug' THEN '4' WHEN 'water-bottle' THEN '5' WHEN 'pillow' THEN '6'
                      WHEN 'tote' THEN '7' ELSE '8' END ||
          lower(p.name) || chr(1) || p.name) COLLATE "C" AS listing_key,
         v.lowest_price_cents, v.available,
         ARRAY['all', 'type:' || p.type,
               CASE WHEN v.lowest_price_cents < 2000 THEN 'price:0-20' WHEN v.lowest_price_cents < 3000 THEN 'price:20-30'
                    WHEN v.lowest_price_cents < 5000 THEN 'price:30-50' ELSE 'price:50-' END]
           || coalesce(v.colors, '{}') || CASE WHEN cardinality(v.sizes) > 1 THEN v.sizes ELSE '{}' END AS facets
  FROM product p CROSS JOIN LATERAL (
    SELECT coalesce(min(unit_price_cents) FILTER (WHERE s.available), min(unit_price_cents)) AS lowest_price_cents,
           bool_or(s.available) AS available,
           array_agg(DISTINCT 'color:' || split_part(color, ' with ', 1)) FILTER (WHERE color IS NOT NULL) AS colors,
           array_agg(DISTINCT 'size:' || size) FILTER (WHERE size IS NOT NULL) AS sizes
    FROM variant_as_sold s WHERE s.product_id = p.id AND gone_at IS NULL HAVING count(*) > 0) v
  WHERE p.visible;
