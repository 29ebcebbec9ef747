CREATE TABLE "drop" (
	"id" serial PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"product_id" integer,
	"collection_id" text,
	"decision" text DEFAULT 'draft' NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone,
	"pieces" integer,
	"limit_per_person" integer NOT NULL,
	"early_minutes" integer DEFAULT 0 NOT NULL,
	"early_codes" text[] NOT NULL,
	"is_early_for_readers" boolean DEFAULT false NOT NULL,
	"number_rule" text NOT NULL,
	"last_number" integer DEFAULT 0 NOT NULL,
	"scheduled_at" timestamp with time zone,
	"shown_state" text DEFAULT 'draft' NOT NULL,
	"is_shown_early" boolean DEFAULT false NOT NULL,
	"announced_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "drop_is_of_something" CHECK (("drop"."product_id" is null) <> ("drop"."collection_id" is null)),
	CONSTRAINT "drop_decision_known" CHECK ("drop"."decision" in ('draft', 'scheduled', 'paused', 'ended', 'released')),
	CONSTRAINT "drop_shown_known" CHECK ("drop"."shown_state" in ('draft', 'scheduled', 'open', 'paused', 'sold_out', 'ended', 'released')),
	CONSTRAINT "drop_rule_known" CHECK ("drop"."number_rule" in ('retire', 'resell')),
	CONSTRAINT "drop_ends_after_start" CHECK ("drop"."ends_at" is null or "drop"."ends_at" > "drop"."starts_at"),
	CONSTRAINT "drop_is_limited" CHECK ("drop"."ends_at" is not null or "drop"."pieces" is not null),
	CONSTRAINT "drop_numbers" CHECK ("drop"."last_number" >= 0 and "drop"."limit_per_person" > 0 and "drop"."early_minutes" >= 0),
	CONSTRAINT "drop_not_oversold" CHECK ("drop"."pieces" is null or "drop"."last_number" <= "drop"."pieces")
);
--> statement-breakpoint
CREATE TABLE "drop_hold" (
	"checkout_id" uuid NOT NULL,
	"drop_id" integer NOT NULL,
	"quantity" integer NOT NULL,
	"until" timestamp with time zone,
	"persons" text[] NOT NULL,
	CONSTRAINT "drop_hold_checkout_id_drop_id_pk" PRIMARY KEY("checkout_id","drop_id"),
	CONSTRAINT "drop_hold_quantity" CHECK ("drop_hold"."quantity" >= 0)
);
--> statement-breakpoint
CREATE TABLE "drop_notice" (
	"drop_id" integer NOT NULL,
	"email" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "drop_notice_drop_id_email_pk" PRIMARY KEY("drop_id","email")
);
--> statement-breakpoint
CREATE TABLE "drop_piece" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"drop_id" integer NOT NULL,
	"state" text DEFAULT 'free' NOT NULL,
	"checkout_id" uuid,
	"place_id" integer,
	CONSTRAINT "drop_piece_state_known" CHECK ("drop_piece"."state" in ('free', 'reserved', 'offered', 'sold', 'retired')),
	CONSTRAINT "drop_piece_has_checkout" CHECK (("drop_piece"."state" in ('reserved', 'sold')) = ("drop_piece"."checkout_id" is not null)),
	CONSTRAINT "drop_piece_has_place" CHECK ("drop_piece"."state" <> 'offered' or "drop_piece"."place_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "drop_place" (
	"id" serial PRIMARY KEY NOT NULL,
	"drop_id" integer NOT NULL,
	"email" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"offer_until" timestamp with time zone,
	"session_id" text,
	"queued_at" timestamp with time zone NOT NULL,
	CONSTRAINT "drop_place_state_known" CHECK ("drop_place"."state" in ('waiting', 'offered', 'bought', 'lapsed', 'left'))
);
--> statement-breakpoint
CREATE TABLE "edition" (
	"drop_id" integer NOT NULL,
	"number" integer NOT NULL,
	"state" text DEFAULT 'issued' NOT NULL,
	"order_id" integer NOT NULL,
	"position" smallint NOT NULL,
	"product_id" integer NOT NULL,
	"variant_id" bigint NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"holder" integer DEFAULT 1 NOT NULL,
	"is_given" boolean DEFAULT false NOT NULL,
	"next_email" text,
	"next_asked_at" timestamp with time zone,
	CONSTRAINT "edition_drop_id_number_pk" PRIMARY KEY("drop_id","number"),
	CONSTRAINT "edition_state_known" CHECK ("edition"."state" in ('issued', 'returned', 'retired')),
	CONSTRAINT "edition_number_positive" CHECK ("edition"."number" > 0 and "edition"."holder" > 0)
);
--> statement-breakpoint
CREATE TABLE "edition_step" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"drop_id" integer NOT NULL,
	"number" integer NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "edition_step_known" CHECK ("edition_step"."kind" in ('sold', 'given', 'returned', 'retired'))
);
--> statement-breakpoint
ALTER TABLE "drop" ADD CONSTRAINT "drop_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drop" ADD CONSTRAINT "drop_collection_id_collection_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collection"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drop_hold" ADD CONSTRAINT "drop_hold_drop_id_drop_id_fk" FOREIGN KEY ("drop_id") REFERENCES "public"."drop"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drop_notice" ADD CONSTRAINT "drop_notice_drop_id_drop_id_fk" FOREIGN KEY ("drop_id") REFERENCES "public"."drop"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drop_piece" ADD CONSTRAINT "drop_piece_drop_id_drop_id_fk" FOREIGN KEY ("drop_id") REFERENCES "public"."drop"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drop_piece" ADD CONSTRAINT "drop_piece_place_id_drop_place_id_fk" FOREIGN KEY ("place_id") REFERENCES "public"."drop_place"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drop_place" ADD CONSTRAINT "drop_place_drop_id_drop_id_fk" FOREIGN KEY ("drop_id") REFERENCES "public"."drop"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "edition" ADD CONSTRAINT "edition_drop_id_drop_id_fk" FOREIGN KEY ("drop_id") REFERENCES "public"."drop"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "edition" ADD CONSTRAINT "edition_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "drop_product_id_index" ON "drop" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "drop_collection_id_index" ON "drop" USING btree ("collection_id");--> statement-breakpoint
CREATE INDEX "drop_hold_drop_id_index" ON "drop_hold" USING btree ("drop_id");--> statement-breakpoint
CREATE INDEX "drop_hold_lapsing" ON "drop_hold" USING btree ("until") WHERE "drop_hold"."until" is not null;--> statement-breakpoint
CREATE INDEX "drop_hold_persons" ON "drop_hold" USING gin ("persons");--> statement-breakpoint
CREATE INDEX "drop_notice_of_email" ON "drop_notice" USING btree ("email");--> statement-breakpoint
CREATE INDEX "drop_piece_free" ON "drop_piece" USING btree ("drop_id","id") WHERE "drop_piece"."state" = 'free';--> statement-breakpoint
CREATE INDEX "drop_piece_of_drop" ON "drop_piece" USING btree ("drop_id","state");--> statement-breakpoint
CREATE INDEX "drop_piece_checkout_id_index" ON "drop_piece" USING btree ("checkout_id");--> statement-breakpoint
CREATE INDEX "drop_piece_place_id_index" ON "drop_piece" USING btree ("place_id");--> statement-breakpoint
CREATE UNIQUE INDEX "drop_place_of_email" ON "drop_place" USING btree ("drop_id","email");--> statement-breakpoint
CREATE INDEX "drop_place_waiting" ON "drop_place" USING btree ("drop_id","queued_at","id") WHERE "drop_place"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "drop_place_offered" ON "drop_place" USING btree ("offer_until") WHERE "drop_place"."state" = 'offered';--> statement-breakpoint
CREATE INDEX "drop_place_person" ON "drop_place" USING btree ("email");--> statement-breakpoint
CREATE INDEX "edition_order_id_index" ON "edition" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "edition_step_drop_id_number_index" ON "edition_step" USING btree ("drop_id","number");
--> statement-breakpoint
-- Who has confirmed the newsletter and not left it: drops may give them early access.
CREATE VIEW newsletter_reader AS
  SELECT lower(email) AS email FROM subscriber WHERE confirmed_at IS NOT NULL AND left_at IS NULL;
--> statement-breakpoint
CREATE VIEW audit_editions AS
  SELECT drop_id, product_id, number, order_id, state FROM edition;
--> statement-breakpoint
CREATE VIEW audit_drops AS
  SELECT d.id AS drop_id, d.product_id, d.collection_id, d.decision, d.starts_at, d.ends_at, d.pieces, d.limit_per_person, d.last_number,
    count(p.id) FILTER (WHERE p.state = 'free')::int AS free,
    count(p.id) FILTER (WHERE p.state = 'reserved')::int AS reserved,
    count(p.id) FILTER (WHERE p.state = 'offered')::int AS offered,
    count(p.id) FILTER (WHERE p.state = 'sold')::int AS sold,
    count(p.id) FILTER (WHERE p.state = 'retired')::int AS retired
  FROM "drop" d LEFT JOIN drop_piece p ON p.drop_id = d.id GROUP BY d.id;
--> statement-breakpoint
-- Numbers are given without a gap: 1, 2, 3 in the order of the sales.
CREATE FUNCTION refuse_edition_gap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.number > 1 AND NOT EXISTS (SELECT 1 FROM edition WHERE drop_id = NEW.drop_id AND number = NEW.number - 1) THEN
    RAISE EXCEPTION 'edition % of drop % leaves a gap', NEW.number, NEW.drop_id;
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER edition_without_gaps BEFORE INSERT ON edition
  FOR EACH ROW EXECUTE FUNCTION refuse_edition_gap();
--> statement-breakpoint
CREATE FUNCTION refuse_edition_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a numbered piece is never deleted';
END
$$;
--> statement-breakpoint
CREATE TRIGGER edition_kept BEFORE DELETE ON edition
  FOR EACH ROW EXECUTE FUNCTION refuse_edition_deletion();
--> statement-breakpoint
-- Pages show them. `last_number`, which every sale changes, is not shown.
CREATE TRIGGER drop_made_notifies AFTER INSERT OR UPDATE OF decision, title, starts_at, ends_at, pieces, limit_per_person, early_minutes, early_codes, is_early_for_readers, shown_state, is_shown_early
  ON "drop" FOR EACH STATEMENT EXECUTE FUNCTION notify_page_change();
