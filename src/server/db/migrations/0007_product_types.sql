-- The index had the new table's name.
DROP INDEX product_type;
--> statement-breakpoint
CREATE INDEX product_by_type ON product (type);
--> statement-breakpoint
CREATE TABLE "product_type" (
	"key" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"plural" text NOT NULL,
	"piece" text NOT NULL,
	"pieces" text NOT NULL,
	"all_products" text,
	"synonyms" text[] NOT NULL,
	"position" smallint NOT NULL,
	"list_group" smallint NOT NULL,
	"merchant_category" text NOT NULL,
	"merchant_type" text NOT NULL,
	"age_group" text NOT NULL,
	"color_label" text NOT NULL,
	"size_label" text NOT NULL,
	"facts" jsonb NOT NULL,
	"size_table" jsonb,
	"decoration" text NOT NULL,
	"blank_id" bigint,
	"has_model" boolean NOT NULL,
	"version" integer NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "product_type_list_group" CHECK ("product_type"."list_group" between 0 and 70),
	CONSTRAINT "product_type_age_group" CHECK ("product_type"."age_group" in ('newborn', 'infant', 'toddler', 'kids', 'adult')),
	CONSTRAINT "product_type_decoration" CHECK ("product_type"."decoration" in ('print', 'embroidery'))
);
--> statement-breakpoint
-- The specification's twelve. Products refer to them.
INSERT INTO "product_type" ("key", "name", "plural", "piece", "pieces", "all_products", "synonyms", "position", "list_group", "merchant_category", "merchant_type", "age_group", "color_label", "size_label", "facts", "size_table", "decoration", "blank_id", "has_model", "version")
  SELECT "key", "name", "plural", "piece", "pieces", "all_products", "synonyms", "position", "list_group", "merchant_category", "merchant_type", "age_group", "color_label", "size_label", "facts", "size_table", "decoration", "blank_id", "has_model", "version"
  FROM jsonb_populate_recordset(null::product_type, '[
  {"key": "vented-hat", "name": "Vented hat", "plural": "Vented hats", "piece": "vented hat", "pieces": "vented hats", "all_products": null, "synonyms": ["hat", "cap", "baseball cap", "baseball hat", "headwear", "vented hat", "trucker", "trucker hat", "trucker cap", "mesh hat", "mesh cap", "snapback"], "position": 1, "list_group": 0, "merchant_category": "Apparel & Accessories > Clothing Accessories > Hats", "merchant_type": "Hats", "age_group": "adult", "color_label": "Color", "size_label": "Size", "facts": [{"label": "Front", "value": "Structured cotton twill"}, {"label": "Back", "value": "Open polyester mesh, snap closure"}, {"label": "Decoration", "value": "Embroidered"}, {"label": "Fits", "value": "21 to 24 in (53 to 61 cm) around the head"}, {"label": "Made", "value": "Made to order, printed after you buy"}], "size_table": null, "decoration": "embroidery", "blank_id": 100, "has_model": true, "version": 1},
  {"key": "hat", "name": "Hat", "plural": "Hats", "piece": "hat", "pieces": "hats", "all_products": null, "synonyms": ["hat", "cap", "baseball cap", "baseball hat", "headwear", "dad hat", "dad cap"], "position": 2, "list_group": 1, "merchant_category": "Apparel & Accessories > Clothing Accessories > Hats", "merchant_type": "Hats", "age_group": "adult", "color_label": "Color", "size_label": "Size", "facts": [{"label": "Fabric", "value": "Washed cotton twill, unstructured"}, {"label": "Closure", "value": "Adjustable strap with buckle"}, {"label": "Decoration", "value": "Embroidered"}, {"label": "Fits", "value": "21 to 24 in (53 to 61 cm) around the head"}, {"label": "Made", "value": "Made to order, printed after you buy"}], "size_table": null, "decoration": "embroidery", "blank_id": 206, "has_model": true, "version": 1},
  {"key": "visor", "name": "Visor", "plural": "Visors", "piece": "visor", "pieces": "visors", "all_products": null, "synonyms": ["visor", "sun visor", "eyeshade"], "position": 3, "list_group": 2, "merchant_category": "Apparel & Accessories > Clothing Accessories > Hats", "merchant_type": "Visors", "age_group": "adult", "color_label": "Color", "size_label": "Size", "facts": [{"label": "Fabric", "value": "Cotton twill with a terry sweatband"}, {"label": "Closure", "value": "Adjustable strap"}, {"label": "Decoration", "value": "Embroidered"}, {"label": "Made", "value": "Made to order, printed after you buy"}], "size_table": null, "decoration": "embroidery", "blank_id": 252, "has_model": true, "version": 1},
  {"key": "t-shirt", "name": "T-shirt", "plural": "T-shirts", "piece": "t-shirt", "pieces": "t-shirts", "all_products": null, "synonyms": ["t shirt", "tshirt", "tee", "tee shirt", "jersey", "shirt", "top", "clothes", "clothing", "apparel"], "position": 4, "list_group": 3, "merchant_category": "Apparel & Accessories > Clothing > Shirts & Tops", "merchant_type": "T-shirts", "age_group": "adult", "color_label": "Color", "size_label": "Size", "facts": [{"label": "Fabric", "value": "Ring-spun cotton, pre-shrunk"}, {"label": "Sizes", "value": "S to 3XL"}, {"label": "Care", "value": "Cold wash inside out, hang to dry"}, {"label": "Made", "value": "Made to order, printed after you buy"}], "size_table": {"caption": "Measured flat, in inches and centimeters.", "measures": ["Chest", "Length"], "rows": [{"size": "S", "values": [18, 28]}, {"size": "M", "values": [20, 29]}, {"size": "L", "values": [22, 30]}, {"size": "XL", "values": [24, 31]}, {"size": "2XL", "values": [26, 32]}, {"size": "3XL", "values": [28, 33]}]}, "decoration": "print", "blank_id": 71, "has_model": true, "version": 1},
  {"key": "polo", "name": "Polo", "plural": "Polos", "piece": "polo", "pieces": "polos", "all_products": null, "synonyms": ["shirt", "top", "clothes", "clothing", "apparel", "polo", "polo shirt", "golf shirt"], "position": 5, "list_group": 3, "merchant_category": "Apparel & Accessories > Clothing > Shirts & Tops", "merchant_type": "Polo shirts", "age_group": "adult", "color_label": "Color", "size_label": "Size", "facts": [{"label": "Fabric", "value": "Cotton piqué with a ribbed collar"}, {"label": "Sizes", "value": "S to 3XL"}, {"label": "Decoration", "value": "Embroidered on the left chest"}, {"label": "Care", "value": "Cold wash inside out, hang to dry"}, {"label": "Made", "value": "Made to order, printed after you buy"}], "size_table": {"caption": "Measured flat, in inches and centimeters.", "measures": ["Chest", "Length"], "rows": [{"size": "S", "values": [19, 28]}, {"size": "M", "values": [21, 29]}, {"size": "L", "values": [23, 30]}, {"size": "XL", "values": [25, 31]}, {"size": "2XL", "values": [27, 32]}, {"size": "3XL", "values": [29, 33]}]}, "decoration": "embroidery", "blank_id": 341, "has_model": true, "version": 1},
  {"key": "mug", "name": "Mug", "plural": "Mugs", "piece": "mug", "pieces": "mugs", "all_products": null, "synonyms": ["mug", "cup", "coffee mug", "coffee cup", "tea mug", "teacup", "drinkware"], "position": 6, "list_group": 4, "merchant_category": "Home & Garden > Kitchen & Dining > Tableware > Drinkware > Mugs", "merchant_type": "Mugs", "age_group": "adult", "color_label": "Color", "size_label": "Size", "facts": [{"label": "Holds", "value": "11 oz (325 ml)", "onlyFor": "11 oz"}, {"label": "Holds", "value": "15 oz (445 ml)"}, {"label": "Size", "value": "3.8 in high, 3.2 in across (10 x 8 cm)", "onlyFor": "11 oz"}, {"label": "Size", "value": "4.7 in high, 3.4 in across (12 x 9 cm)"}, {"label": "Material", "value": "Glazed ceramic"}, {"label": "Care", "value": "Dishwasher and microwave safe"}, {"label": "Made", "value": "Made to order, printed after you buy"}], "size_table": null, "decoration": "print", "blank_id": 403, "has_model": true, "version": 1},
  {"key": "water-bottle", "name": "Water bottle", "plural": "Water bottles", "piece": "water bottle", "pieces": "water bottles", "all_products": null, "synonyms": ["water bottle", "bottle", "flask", "thermos", "drinking bottle", "drinkware"], "position": 7, "list_group": 5, "merchant_category": "Home & Garden > Kitchen & Dining > Food & Beverage Carriers > Water Bottles", "merchant_type": "Water bottles", "age_group": "adult", "color_label": "Color", "size_label": "Size", "facts": [{"label": "Holds", "value": "17 oz (500 ml)"}, {"label": "Material", "value": "Double-walled stainless steel"}, {"label": "Care", "value": "Wash by hand"}, {"label": "Made", "value": "Made to order, printed after you buy"}], "size_table": null, "decoration": "print", "blank_id": 382, "has_model": true, "version": 1},
  {"key": "pillow", "name": "Pillow", "plural": "Pillows", "piece": "pillow", "pieces": "pillows", "all_products": "premium pillow products", "synonyms": ["pillow", "cushion", "throw pillow"], "position": 8, "list_group": 6, "merchant_category": "Home & Garden > Decor > Throw Pillows", "merchant_type": "Pillows", "age_group": "adult", "color_label": "Color", "size_label": "Size", "facts": [{"label": "Size", "value": "18 x 18 in (46 x 46 cm)"}, {"label": "Cover", "value": "Printed on both sides, hidden zip"}, {"label": "Care", "value": "Cover: machine wash cold"}, {"label": "Made", "value": "Made to order, printed after you buy"}], "size_table": null, "decoration": "print", "blank_id": 83, "has_model": true, "version": 1},
  {"key": "blanket", "name": "Blanket", "plural": "Blankets", "piece": "blanket", "pieces": "blankets", "all_products": null, "synonyms": ["blanket", "throw", "throw blanket", "fleece", "plaid"], "position": 9, "list_group": 8, "merchant_category": "Home & Garden > Linens & Bedding > Bedding > Blankets", "merchant_type": "Blankets", "age_group": "adult", "color_label": "Color", "size_label": "Size", "facts": [{"label": "Size", "value": "50 x 60 in (127 x 152 cm)"}, {"label": "Fabric", "value": "Soft polyester fleece, printed on one side"}, {"label": "Care", "value": "Machine wash cold, tumble dry low"}, {"label": "Made", "value": "Made to order, printed after you buy"}], "size_table": null, "decoration": "print", "blank_id": 395, "has_model": true, "version": 1},
  {"key": "tote", "name": "Tote", "plural": "Totes", "piece": "tote bag", "pieces": "tote bags", "all_products": null, "synonyms": ["tote", "bag", "tote bag", "shopping bag", "shopper", "carrier"], "position": 10, "list_group": 7, "merchant_category": "Luggage & Bags > Shopping Totes", "merchant_type": "Tote bags", "age_group": "adult", "color_label": "Color", "size_label": "Size", "facts": [{"label": "Size", "value": "15 x 16 in (38 x 41 cm)"}, {"label": "Handles", "value": "22 in (56 cm), over the shoulder"}, {"label": "Fabric", "value": "Heavy cotton canvas"}, {"label": "Made", "value": "Made to order, printed after you buy"}], "size_table": null, "decoration": "print", "blank_id": 367, "has_model": true, "version": 1},
  {"key": "can-cooler", "name": "Can cooler", "plural": "Can coolers", "piece": "can cooler", "pieces": "can coolers", "all_products": null, "synonyms": ["can cooler", "koozie", "coozie", "cozy", "cooler", "can sleeve", "beer sleeve", "stubby holder", "drinkware"], "position": 11, "list_group": 8, "merchant_category": "Home & Garden > Kitchen & Dining > Food & Beverage Carriers > Drink Sleeves > Can & Bottle Sleeves", "merchant_type": "Can coolers", "age_group": "adult", "color_label": "Color", "size_label": "Size", "facts": [{"label": "Size", "value": "4 x 5.2 in (10 x 13 cm)"}, {"label": "Fits", "value": "12 oz (355 ml) cans and most bottles"}, {"label": "Material", "value": "Neoprene, folds flat"}, {"label": "Made", "value": "Made to order, printed after you buy"}], "size_table": null, "decoration": "print", "blank_id": 630, "has_model": true, "version": 1},
  {"key": "mouse-pad", "name": "Mouse pad", "plural": "Mouse pads", "piece": "mouse pad", "pieces": "mouse pads", "all_products": null, "synonyms": ["mouse pad", "mousepad", "mouse mat", "mousemat", "desk pad", "desk mat"], "position": 12, "list_group": 8, "merchant_category": "Electronics > Electronics Accessories > Computer Accessories > Mouse Pads", "merchant_type": "Mouse pads", "age_group": "adult", "color_label": "Color", "size_label": "Size", "facts": [{"label": "Size", "value": "8.7 x 7.1 in (22 x 18 cm)"}, {"label": "Material", "value": "Polyester top on natural rubber"}, {"label": "Made", "value": "Made to order, printed after you buy"}], "size_table": null, "decoration": "print", "blank_id": 583, "has_model": true, "version": 1}
]');
--> statement-breakpoint
INSERT INTO "catalog_revision" ("kind", "key", "version", "content", "source", "by", "at")
  SELECT 'product_type', key, version, jsonb_build_object('key', key, 'name', name, 'plural', plural, 'piece', piece, 'pieces', pieces,
    'allProducts', all_products, 'synonyms', synonyms, 'position', position, 'listGroup', list_group,
    'merchantCategory', merchant_category, 'merchantType', merchant_type, 'ageGroup', age_group, 'colorLabel', color_label,
    'sizeLabel', size_label, 'facts', facts, 'sizeTable', size_table, 'decoration', decoration, 'blankId', blank_id,
    'hasModel', has_model), 'import', 'shop', updated_at
  FROM product_type;
--> statement-breakpoint
ALTER TABLE "product" ADD CONSTRAINT "product_type_product_type_key_fk" FOREIGN KEY ("type") REFERENCES "public"."product_type"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "variant_size" ON "variant" USING btree ("size","product_id") WHERE "variant"."gone_at" is null;
--> statement-breakpoint
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
           || coalesce(v.colors, '{}') || CASE WHEN cardinality(v.sizes) > 1 THEN v.sizes ELSE '{}' END AS facets
  FROM product p JOIN product_type t ON t.key = p.type CROSS JOIN LATERAL (
    SELECT coalesce(min(unit_price_cents) FILTER (WHERE s.available), min(unit_price_cents)) AS lowest_price_cents,
           bool_or(s.available) AS available,
           array_agg(DISTINCT 'color:' || split_part(color, ' with ', 1)) FILTER (WHERE color IS NOT NULL) AS colors,
           array_agg(DISTINCT 'size:' || size) FILTER (WHERE size IS NOT NULL) AS sizes
    FROM variant_as_sold s WHERE s.product_id = p.id AND gone_at IS NULL HAVING count(*) > 0) v
  WHERE p.visible;
--> statement-breakpoint
CREATE FUNCTION relist_products_of_changed_types() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM relist_products((
    SELECT array_agg(p.id) FROM new_rows n JOIN old_rows o USING (key) JOIN product p ON p.type = n.key
    WHERE n.list_group <> o.list_group));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER product_type_relisted AFTER UPDATE ON product_type
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION relist_products_of_changed_types();
--> statement-breakpoint
CREATE TRIGGER product_type_is_shown AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
  ON product_type FOR EACH STATEMENT EXECUTE FUNCTION notify_page_change();
