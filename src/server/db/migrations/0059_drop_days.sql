CREATE TABLE "drop_guest" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"drop_id" integer NOT NULL,
	"session_id" text NOT NULL,
	"network" text NOT NULL,
	"arrived_at" timestamp with time zone NOT NULL,
	"turn" integer,
	"until" timestamp with time zone,
	"entered_at" timestamp with time zone,
	"checkout_id" uuid
);
--> statement-breakpoint
CREATE TABLE "drop_room" (
	"drop_id" integer PRIMARY KEY NOT NULL,
	"seed" text,
	"last_turn" integer DEFAULT 0 NOT NULL,
	"let_in_turn" integer DEFAULT 0 NOT NULL,
	"let_in_at" timestamp with time zone NOT NULL,
	CONSTRAINT "drop_room_turns" CHECK ("drop_room"."let_in_turn" >= 0 and "drop_room"."let_in_turn" <= "drop_room"."last_turn")
);
--> statement-breakpoint
CREATE TABLE "visit_minute" (
	"minute" timestamp with time zone PRIMARY KEY NOT NULL,
	"visits" integer NOT NULL,
	CONSTRAINT "visit_minute_positive" CHECK ("visit_minute"."visits" > 0)
);
--> statement-breakpoint
ALTER TABLE "drop" ADD COLUMN "room_per_minute" integer;--> statement-breakpoint
ALTER TABLE "drop_guest" ADD CONSTRAINT "drop_guest_drop_id_drop_id_fk" FOREIGN KEY ("drop_id") REFERENCES "public"."drop"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drop_room" ADD CONSTRAINT "drop_room_drop_id_drop_id_fk" FOREIGN KEY ("drop_id") REFERENCES "public"."drop"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "drop_guest_of_session" ON "drop_guest" USING btree ("session_id","drop_id");--> statement-breakpoint
CREATE INDEX "drop_guest_turns" ON "drop_guest" USING btree ("drop_id","turn");--> statement-breakpoint
CREATE INDEX "drop_guest_new" ON "drop_guest" USING btree ("drop_id") WHERE "drop_guest"."turn" is null;--> statement-breakpoint
CREATE INDEX "drop_guest_visiting" ON "drop_guest" USING btree ("drop_id","until") WHERE "drop_guest"."until" is not null;--> statement-breakpoint
CREATE INDEX "drop_guest_networks" ON "drop_guest" USING btree ("drop_id","network");--> statement-breakpoint
CREATE INDEX "drop_guest_arrived_at_index" ON "drop_guest" USING btree ("arrived_at");--> statement-breakpoint
ALTER TABLE "drop" ADD CONSTRAINT "drop_room_moves" CHECK ("drop"."room_per_minute" is null or "drop"."room_per_minute" > 0);--> statement-breakpoint
-- Pages show whether it has a waiting room.
DROP TRIGGER drop_made_notifies ON "drop";
--> statement-breakpoint
CREATE TRIGGER drop_made_notifies AFTER INSERT OR UPDATE OF decision, title, starts_at, ends_at, pieces, limit_per_person, early_minutes, early_codes, is_early_for_readers, room_per_minute, shown_state, is_shown_early
  ON "drop" FOR EACH STATEMENT EXECUTE FUNCTION notify_page_change();
